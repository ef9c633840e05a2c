/** How a tenant stands that nobody has decided anything about. */
import { Plan, type PlanInput } from '../openapi/plan.ts'
import type { TenantStanding } from './tenant-standing.ts'

export const standingOf = (plan: PlanInput = {}, more: Partial<TenantStanding> = {}): TenantStanding => ({
  tenantId: 'acme',
  shard: 0,
  plan: Plan.parse(plan),
  revision: 1,
  status: 'active',
  restoreEpoch: 0,
  held: false,
  ...more,
})
