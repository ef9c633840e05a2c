/** What routes about one tenant share. */
import { z } from '@hono/zod-openapi'
import type { Context } from 'hono'
import { openDirectory } from '../../ledger/directory/open.ts'
import { findTenant, type TenantRow } from '../../ledger/directory/operations.ts'
import { Problem } from '../problem.ts'
import type { GatewayContext } from '../router.ts'

export const TenantParams = z.object({
  tenant_id: z.string().openapi({ description: 'The ID of a tenant.', example: 'acme' }),
})

export async function existingTenant(c: Context<GatewayContext>, id: string): Promise<TenantRow> {
  const tenant = await findTenant(openDirectory(c.env.DIRECTORY), id)
  if (!tenant) throw new Problem('not-found', { detail: 'There is no such tenant.' })
  return tenant
}
