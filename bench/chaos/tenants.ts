/** The tenants of a run: a few large and many small ones, some of them under tight limits, some with a budget. */

export interface TenantPlan {
  readonly id: string
  /** Relative to the others'; after Zipf, the nth has a share of 1/n. */
  readonly share: number
  readonly limits: Record<string, number | boolean>
}

const TENANTS = 12
/**
 * Room for customers who never wait; limits of requests have specs of their own. Each local queue hands on one batch at a time: with
 * fewer slots, jobs that wait in the slow one would hold up all others of their tenant; with many more, tenants with few would wait
 * behind theirs.
 */
const open = { test_models: true, requests_per_minute: 100_000, max_running: 100 }

/** The budgets are for less than their tenants will ask for. */
const tight: Record<number, Record<string, number>> = {
  1: { max_running: 30 },
  2: { monthly_budget_usd: 0.2 },
  4: { max_running: 8, requests_per_minute: 1200 },
  5: { jobs_per_minute: 240 },
  7: { max_running: 3 },
  8: { monthly_budget_usd: 0.04 },
  10: { jobs_per_minute: 120, max_running: 2 },
  11: { max_running: 1 },
}

export const tenantPlans: readonly TenantPlan[] = Array.from({ length: TENANTS }, (_, at) => ({
  id: `chaos-${at + 1}`,
  share: 1 / (at + 1),
  limits: { ...open, ...tight[at] },
}))
