/** Models as operators see them, enable them and disable them. */
import { createRoute, z } from '@hono/zod-openapi'
import type { Context } from 'hono'
import { findModel, type Model, models } from '../../catalog/models.ts'
import {
  approvalOf,
  type Decision,
  disabledRow,
  disableModel,
  enabledRow,
  enableModel,
  type Ground,
  hasPassed,
  listModelStates,
  type ModelStateRow,
} from '../../ledger/directory/model-states.ts'
import { type Directory, openDirectory } from '../../ledger/directory/open.ts'
import { ModelEnablement, OperatorModel, OperatorModelPage } from '../../openapi/model-orders.ts'
import { ModelQuery } from '../../openapi/models.ts'
import { ReasonedAction } from '../../openapi/ops.ts'
import { forOperators } from '../auth/authenticate.ts'
import { once } from '../once.ts'
import { tellOrders } from '../orders.ts'
import { pageOf } from '../page.ts'
import { Problem, problems } from '../problem.ts'
import { type GatewayContext, newRouter } from '../router.ts'
import { operatorModelView } from '../views/operator-model.ts'
import { modelsAfter } from './models.ts'
import { json, jsonBody, keyedForOperators, operatorPostProblems, operatorProblems } from './shared.ts'

const tags = ['Models']

const ModelParams = z.object({
  model_id: z.string().meta({
    description: 'The ID of a model. Its slash may be encoded or come as it is.',
    example: 'embedded/extract-1',
  }),
})

const answers = {
  200: json('The model as it is now.', OperatorModel),
  ...problems(...operatorPostProblems, 'not-found'),
}

const enableRoute = createRoute({
  operationId: 'enableModel',
  method: 'post',
  path: '/ops/v1/models/{model_id}/enable',
  tags,
  summary: 'Enable a model',
  description:
    'Its present version must be approved: by the catalog, by a passing evaluation of that very version, now or before, or by an explicit `override`. Jobs that waited for it go on within seconds.',
  ...keyedForOperators('ops:write'),
  request: { params: ModelParams, body: jsonBody(ModelEnablement) },
  responses: answers,
})

const disableRoute = createRoute({
  operationId: 'disableModel',
  method: 'post',
  path: '/ops/v1/models/{model_id}/disable',
  tags,
  summary: 'Disable a model',
  description:
    'New work for it is refused, and what waits for it goes on waiting until it is enabled or the deadline has passed; all of that within seconds. Running work finishes. A later version of it stays disabled, too.',
  ...keyedForOperators('ops:write'),
  request: { params: ModelParams, body: jsonBody(ReasonedAction) },
  responses: answers,
})

const listOperatorModels = createRoute({
  operationId: 'listOperatorModels',
  method: 'get',
  path: '/ops/v1/models',
  tags,
  summary: 'List models with what was decided about them',
  description: 'All of the catalog, in the order in which a kind finds its default.',
  ...forOperators('ops:read'),
  request: { query: ModelQuery },
  responses: { 200: json('A page of models.', OperatorModelPage), ...problems(...operatorProblems) },
})

export const modelOrderRoutes = newRouter()
  .openapi(listOperatorModels, async (c) => {
    const page = await pageOf(['ops', 'models'], c.req.valid('query'), async (after, size) => {
      const { listed, nextAfter } = modelsAfter(models, after, size)
      const rows = await listModelStates(openDirectory(c.env.DIRECTORY))
      const data = listed.map((model) => operatorModelView(model, c.var.config.providers, rows))
      return { data, nextAfter }
    })
    return c.json(page, 200)
  })
  .openapi(enableRoute, async (c) =>
    c.json(await enable(c, existing(c.req.valid('param').model_id), c.req.valid('json')), 200),
  )
  .openapi(disableRoute, async (c) =>
    c.json(await disable(c, existing(c.req.valid('param').model_id), c.req.valid('json').reason), 200),
  )

function existing(id: string): Model {
  const model = findModel(id)
  if (!model) throw new Problem('not-found', { detail: 'There is no such model.' })
  return model
}

/** What operators will see once this is the model's row. */
const viewWith = (c: Context<GatewayContext>, model: Model, rows: ModelStateRow[], row: ModelStateRow) =>
  operatorModelView(model, c.var.config.providers, [...rows.filter((one) => one.model !== model.id), row])

const decisionOf = (c: Context<GatewayContext>, reason: string): Decision => ({
  operator: c.var.principal.clientId,
  reason,
  at: Date.now(),
})

async function enable(c: Context<GatewayContext>, model: Model, order: ModelEnablement) {
  const view = await once<OperatorModel>(c, order.reason, async (actFor) => {
    const directory = openDirectory(c.env.DIRECTORY)
    const rows = await listModelStates(directory)
    const before = rows.find((row) => row.model === model.id)
    const ground = await groundOf(directory, model, before, order)
    const row = enabledRow(model, before, ground, decisionOf(c, order.reason))
    const kept = viewWith(c, model, rows, row)
    await enableModel(directory, row, ground, actFor(kept))
    return kept
  })
  await tellOrders(c, null)
  return view
}

/** What the order gives as its ground; throws the problem where nothing speaks for the version, now or before. */
async function groundOf(
  directory: Directory,
  model: Model,
  before: ModelStateRow | undefined,
  order: ModelEnablement,
): Promise<Ground> {
  const evaluationId = order.evaluation_id ?? null
  const overridden = order.override ?? false
  if (evaluationId !== null && !(await hasPassed(directory, evaluationId, model)))
    throw refused('No passing evaluation of the present version of this model.')
  if (evaluationId === null && !overridden && approvalOf(model, before) === null)
    throw refused('This version needs a passing evaluation, or `override`.')
  return { evaluationId, overridden }
}

const refused = (detail: string) =>
  new Problem('invalid-request', {
    detail: 'The model cannot be enabled so.',
    errors: [{ pointer: '/evaluation_id', detail }],
  })

async function disable(c: Context<GatewayContext>, model: Model, reason: string) {
  const view = await once<OperatorModel>(c, reason, async (actFor) => {
    const directory = openDirectory(c.env.DIRECTORY)
    const rows = await listModelStates(directory)
    const before = rows.find((one) => one.model === model.id)
    const row = disabledRow(model, before, decisionOf(c, reason))
    const kept = viewWith(c, model, rows, row)
    await disableModel(directory, row, actFor(kept))
    return kept
  })
  await tellOrders(c, null)
  return view
}
