/** Deleting a tenant, with everything that it owns. */
import { createRoute, type z } from '@hono/zod-openapi'
import type { Context } from 'hono'
import { openDirectory } from '../../ledger/directory/open.ts'
import type { Act, TenantRow } from '../../ledger/directory/operations.ts'
import { beginDeletion } from '../../ledger/directory/tenant-changes.ts'
import { ledgerName } from '../../ledger/directory/tenants.ts'
import { Tenant, TenantDeletion } from '../../openapi/ops.ts'
import { callLedger } from '../ledgers.ts'
import { once } from '../once.ts'
import { Problem, problems } from '../problem.ts'
import { type GatewayContext, newRouter } from '../router.ts'
import { tenantView } from '../views/tenant.ts'
import { jsonBody, keyedForOperators, located, operatorPostProblems } from './shared.ts'
import { existingTenant, TenantParams, tellLedger } from './tenant.ts'

type View = z.infer<typeof Tenant>

const deleteTenant = createRoute({
  operationId: 'deleteTenant',
  method: 'post',
  path: '/ops/v1/tenants/{tenant_id}/delete',
  tags: ['Tenants'],
  summary: 'Delete a tenant with everything it owns',
  description: [
    'From then on no request of it is taken and nothing of it is run or sent. What it owns is deleted once what is under way has ended:',
    'jobs, batches, files, results, webhooks, clients, issuers, dead letters. It cannot be called off. The tenant is `deleting` until all of',
    'that is gone, then it is not there any more, and its ID is free. The audit log stays.',
  ].join('\n'),
  ...keyedForOperators('ops:write'),
  request: { params: TenantParams, body: jsonBody(TenantDeletion) },
  responses: {
    202: located('The tenant, which is being deleted. `Location` is its URL.', Tenant),
    ...problems(...operatorPostProblems, 'not-found', 'tenant-busy'),
  },
})

export const tenantDeletionRoutes = newRouter().openapi(deleteTenant, async (c) => {
  const { reason, force } = c.req.valid('json')
  const id = c.req.valid('param').tenant_id
  const tenant = await once<View>(c, reason, (actFor) => begin(c, id, force, actFor))
  // For a repetition too: the first request may have broken off before this.
  await tellLedger(c, id)
  return c.json(tenant, 202, { Location: `${c.var.config.baseUrl}/ops/v1/tenants/${id}` })
})

/** Whoever comes second, or again, is answered alike. */
async function begin(
  c: Context<GatewayContext>,
  id: string,
  force: boolean,
  actFor: (keep: View) => Act,
): Promise<View> {
  const tenant = await existingTenant(c, id)
  const view = tenantView({ ...tenant, status: 'deleting' })
  if (tenant.status === 'deleting') return view
  if (!force) await refuseBusy(c, tenant)
  await beginDeletion(openDirectory(c.env.DIRECTORY), id, actFor(view))
  return view
}

async function refuseBusy(c: Context<GatewayContext>, { id, generation }: TenantRow): Promise<void> {
  const { jobs, batches } = await callLedger(c.env, ledgerName(id, generation), (ledger) =>
    ledger.standStill(),
  )
  if (jobs + batches > 0)
    throw new Problem('tenant-busy', { detail: `Unfinished jobs: ${jobs}. Unfinished batches: ${batches}.` })
}
