/** How a tenant stands: what the directory decides about it, and tells its ledger in one piece. Pure. */
import { z } from '@hono/zod-openapi'
import { Plan } from '../openapi/plan.ts'
import { tenantStatuses } from '../openapi/tenant-words.ts'

export const TenantStanding = z.object({
  tenantId: z.string(),
  shard: z.int(),
  plan: Plan,
  /** Grows with each change of any of this: what is older than what a ledger knows tells it nothing. */
  revision: z.int(),
  status: z.enum(tenantStatuses),
  /** Grows each time that the ledger is restored from a point in time. */
  restoreEpoch: z.int(),
  /** After a restore: nothing is sent out until an operator says so. */
  held: z.boolean(),
})
export type TenantStanding = z.infer<typeof TenantStanding>

/** Whether requests of the tenant are taken. */
export const isServed = ({ status }: Pick<TenantStanding, 'status'>) => status === 'active'

/** Whether anything may leave the ledger: jobs and chunks to run, webhooks. What is out already may end. */
export const maySend = ({ status, held }: Pick<TenantStanding, 'status' | 'held'>) =>
  status === 'active' && !held
