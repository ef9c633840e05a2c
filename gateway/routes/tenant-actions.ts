/** Suspending a tenant, and letting it go on. */
import { createRoute, type z } from '@hono/zod-openapi'
import type { Context } from 'hono'
import { openDirectory } from '../../ledger/directory/open.ts'
import { changeStatus } from '../../ledger/directory/tenant-changes.ts'
import { ReasonedAction, Tenant } from '../../openapi/ops.ts'
import type { TenantStatus } from '../../openapi/tenant-words.ts'
import { once } from '../once.ts'
import { problems } from '../problem.ts'
import { type GatewayContext, newRouter } from '../router.ts'
import { tenantView } from '../views/tenant.ts'
import { json, jsonBody, keyedForOperators, operatorPostProblems } from './shared.ts'
import { changeableTenant, TenantParams, tellLedger } from './tenant.ts'

const action = <N extends string>(name: N, summary: string, description: string) =>
  createRoute({
    operationId: `${name}Tenant`,
    method: 'post',
    path: `/ops/v1/tenants/{tenant_id}/${name}`,
    tags: ['Tenants'],
    summary,
    description,
    ...keyedForOperators('ops:write'),
    request: { params: TenantParams, body: jsonBody(ReasonedAction) },
    responses: { 200: json('The tenant.', Tenant), ...problems(...operatorPostProblems, 'not-found') },
  })

const suspendTenant = action(
  'suspend',
  'Suspend a tenant',
  'New requests are refused at once, its clients still get tokens. Running jobs and chunks finish, nothing else is started, and webhooks are held. Deadlines go on.',
)
const resumeTenant = action(
  'resume',
  'Let a suspended tenant go on',
  'Requests are taken again, and what waited is started and sent.',
)

export const tenantActionRoutes = newRouter()
  .openapi(suspendTenant, async (c) => {
    const { reason } = c.req.valid('json')
    return c.json(await change(c, c.req.valid('param').tenant_id, 'suspended', reason), 200)
  })
  .openapi(resumeTenant, async (c) => {
    const { reason } = c.req.valid('json')
    return c.json(await change(c, c.req.valid('param').tenant_id, 'active', reason), 200)
  })

/** For a repetition the ledger is told as well: the first request may have broken off before. */
async function change(
  c: Context<GatewayContext>,
  id: string,
  status: Exclude<TenantStatus, 'deleting'>,
  reason: string,
): Promise<z.infer<typeof Tenant>> {
  const tenant = await once<z.infer<typeof Tenant>>(c, reason, async (actFor) => {
    const view = tenantView({ ...(await changeableTenant(c, id)), status })
    await changeStatus(openDirectory(c.env.DIRECTORY), id, status, actFor(view))
    return view
  })
  await tellLedger(c, id)
  return tenant
}
