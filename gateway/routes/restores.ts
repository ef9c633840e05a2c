/** Restoring a tenant's ledger from a point in time, and letting it go on. */
import { createRoute, type z } from '@hono/zod-openapi'
import type { Context } from 'hono'
import { openDirectory } from '../../ledger/directory/open.ts'
import { beginRestore, endHold } from '../../ledger/directory/restores.ts'
import { ledgerName } from '../../ledger/directory/tenants.ts'
import { ReasonedAction, Tenant } from '../../openapi/ops.ts'
import { Restore, RestoreRequest } from '../../openapi/restores.ts'
import { once, onceInSteps } from '../once.ts'
import { Problem, problems } from '../problem.ts'
import { bookmarkAt, putBack } from '../restoring.ts'
import { type GatewayContext, newRouter } from '../router.ts'
import { restoreView } from '../views/restore.ts'
import { tenantView } from '../views/tenant.ts'
import { json, jsonBody, keyedForOperators, operatorPostProblems } from './shared.ts'
import { changeableTenant, TenantParams, tellLedger } from './tenant.ts'

const KEPT_MS = 30 * 86_400_000

const restoreTenant = createRoute({
  operationId: 'restoreTenant',
  method: 'post',
  path: '/ops/v1/tenants/{tenant_id}/restore',
  tags: ['Tenants'],
  summary: "Restore a tenant's ledger from a point in time",
  description:
    'What came after the point is forgotten. The tenant is held until it is released: it may read, cancel and delete, and nothing new is taken, started or sent. It may be restored again before, to another point. 503 where no history is kept, as in the local run.',
  ...keyedForOperators('ops:write'),
  request: { params: TenantParams, body: jsonBody(RestoreRequest) },
  responses: {
    200: json('What was restored.', Restore),
    ...problems(...operatorPostProblems, 'not-found', 'idempotency-in-progress'),
  },
})

const releaseTenant = createRoute({
  operationId: 'releaseTenant',
  method: 'post',
  path: '/ops/v1/tenants/{tenant_id}/release',
  tags: ['Tenants'],
  summary: 'Let a restored tenant go on',
  description: 'New work is taken again, and what is unfinished is started.',
  ...keyedForOperators('ops:write'),
  request: { params: TenantParams, body: jsonBody(ReasonedAction) },
  responses: { 200: json('The tenant.', Tenant), ...problems(...operatorPostProblems, 'not-found') },
})

export const restoreRoutes = newRouter()
  .openapi(restoreTenant, async (c) => {
    const { to, reason } = c.req.valid('json')
    const { tenant_id } = c.req.valid('param')
    return c.json(await onceInSteps(c, () => restore(c, tenant_id, Date.parse(to), reason)), 200)
  })
  .openapi(releaseTenant, async (c) => {
    const { reason } = c.req.valid('json')
    const { tenant_id } = c.req.valid('param')
    const tenant = await once<z.infer<typeof Tenant>>(c, reason, async (actFor) => {
      const view = tenantView({ ...(await changeableTenant(c, tenant_id)), held: false })
      await endHold(openDirectory(c.env.DIRECTORY), tenant_id, actFor(view))
      return view
    })
    await tellLedger(c, tenant_id)
    return c.json(tenant, 200)
  })

async function restore(
  c: Context<GatewayContext>,
  id: string,
  to: number,
  reason: string,
): Promise<z.infer<typeof Restore>> {
  const { generation, createdAt } = await changeableTenant(c, id)
  const now = Date.now()
  if (to < Math.max(createdAt, now - KEPT_MS) || to > now) throw outOfRange()
  const name = ledgerName(id, generation)
  const bookmark = await bookmarkAt(c.env, name, to)
  const act = { operator: c.var.principal.clientId, reason, at: now, kept: null }
  const revised = await beginRestore(openDirectory(c.env.DIRECTORY), id, to, act)
  await putBack(c.env, name, bookmark)
  return restoreView(await tellLedger(c, id), to, now, revised)
}

const outOfRange = () =>
  new Problem('invalid-request', {
    detail: 'There is no such point to go back to.',
    errors: [{ pointer: '/to', detail: 'Within the last 30 days, and while the tenant was there.' }],
  })
