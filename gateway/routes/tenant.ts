/** What routes about one tenant share. */
import { z } from '@hono/zod-openapi'
import type { Context } from 'hono'
import { openDirectory } from '../../ledger/directory/open.ts'
import { findTenant, type TenantRow } from '../../ledger/directory/operations.ts'
import { standingFrom } from '../../ledger/directory/tenant-changes.ts'
import { ledgerName } from '../../ledger/directory/tenants.ts'
import { callLedger } from '../ledgers.ts'
import { Problem } from '../problem.ts'
import type { GatewayContext } from '../router.ts'

export const TenantParams = z.object({
  tenant_id: z.string().meta({ description: 'The ID of a tenant.', example: 'acme' }),
})

export async function existingTenant(c: Context<GatewayContext>, id: string): Promise<TenantRow> {
  const tenant = await findTenant(openDirectory(c.env.DIRECTORY), id)
  if (!tenant) throw new Problem('not-found', { detail: 'There is no such tenant.' })
  return tenant
}

/** One that may be changed still. */
export async function changeableTenant(c: Context<GatewayContext>, id: string): Promise<TenantRow> {
  const tenant = await existingTenant(c, id)
  if (tenant.status === 'deleting')
    throw new Problem('invalid-request', { detail: 'The tenant is being deleted.' })
  return tenant
}

/**
 * Tells the tenant's ledger how the tenant stands now, and answers that. Safe to repeat: what broke off between directory and ledger is
 * made up for by the next change, or the same once more.
 */
export async function tellLedger(c: Context<GatewayContext>, id: string): Promise<TenantRow> {
  const tenant = await existingTenant(c, id)
  const standing = standingFrom(tenant)
  await callLedger(c.env, ledgerName(id, tenant.generation), (ledger) => ledger.provision(standing))
  return tenant
}
