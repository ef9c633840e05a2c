/** Models: what can be asked for. */
import { createRoute } from '@hono/zod-openapi'
import { modelsFor, type Model as Row } from '../../catalog/models.ts'
import { ModelPage, ModelQuery } from '../../openapi/models.ts'
import { forTenants } from '../auth/authenticate.ts'
import { badCursor } from '../cursor.ts'
import { standingOrders } from '../orders.ts'
import { pageOf } from '../page.ts'
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
  const { config, principal, ledger } = c.var
  const scope = [principal.tenantId, 'models'] as const
  const page = await pageOf(scope, c.req.valid('query'), async (after, size) => {
    const { test_models } = await ledger((own) => own.readPlan())
    const { listed, nextAfter } = modelsAfter(modelsFor(config.providers, test_models), after, size)
    const { models } = await standingOrders(c)
    return { data: listed.map((model) => modelView(model, config.providers, models)), nextAfter }
  })
  return c.json(page, 200)
})

/** So many models in their order, behind the one of this ID. */
export function modelsAfter(models: readonly Row[], after: string | null, size: number) {
  const at = models.findIndex(({ id }) => id === after)
  if (after !== null && at < 0) throw badCursor()
  const listed = models.slice(at + 1, at + 1 + size)
  const isLast = at + 1 + size >= models.length
  return { listed, nextAfter: isLast ? null : (listed.at(-1)?.id ?? null) }
}
