/** Models: what can be asked for. */
import { createRoute } from '@hono/zod-openapi'
import { modelsFor, type Model as Row } from '../../catalog/models.ts'
import { DEFAULT_LIMIT } from '../../openapi/common.ts'
import { ModelPage, ModelQuery } from '../../openapi/models.ts'
import { forTenants } from '../auth/authenticate.ts'
import { badCursor, decodeCursor, encodeCursor } from '../cursor.ts'
import { standingOrders } from '../orders.ts'
import { problems } from '../problem.ts'
import { newRouter } from '../router.ts'
import { modelView } from '../views/model.ts'
import { json, tenantProblems } from './shared.ts'

const tags = ['Models']
const read = forTenants('jobs:read')

const listModels = createRoute({
  operationId: 'listModels',
  method: 'get',
  path: '/v1/models',
  tags,
  summary: 'List models',
  description:
    'Those that jobs and batches can ask for here, in the order in which a kind finds its default.',
  ...read,
  request: { query: ModelQuery },
  responses: { 200: json('A page of models.', ModelPage), ...problems(...tenantProblems) },
})

export const modelRoutes = newRouter().openapi(listModels, async (c) => {
  const { cursor, limit } = c.req.valid('query')
  const { config, principal, ledger } = c.var
  const scope = [principal.tenantId, 'models'] as const
  const after = await decodeCursor(scope, cursor)
  const { test_models } = await ledger((own) => own.readPlan())
  const { page, nextAfter } = modelPage(modelsFor(config.providers, test_models), after, limit)
  const { models } = await standingOrders(c)
  const data = page.map((model) => modelView(model, config.providers, models))
  const next_cursor = await encodeCursor(scope, nextAfter)
  return c.json({ data, has_more: next_cursor !== null, next_cursor }, 200)
})

/** Models in their order, behind the one of this ID. */
export function modelPage(models: readonly Row[], after: string | null, limit: string | undefined) {
  const size = Number(limit ?? DEFAULT_LIMIT)
  const at = models.findIndex(({ id }) => id === after)
  if (after !== null && at < 0) throw badCursor()
  const page = models.slice(at + 1, at + 1 + size)
  const isLast = at + 1 + size >= models.length
  return { page, nextAfter: isLast ? null : (page.at(-1)?.id ?? null) }
}
