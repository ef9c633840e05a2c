/** Limits as the API shows them. */
import type { LimitNow } from '../../ledger/limits.ts'
import type { LimitsNow } from '../../ledger/limits-now.ts'
import { microUsd, nullableTimestamp, timestamp, usd } from '../../ledger/wire.ts'
import { type Limits, limitNames } from '../../openapi/limits.ts'

export const limitsView = ({ plan, limits, budget }: LimitsNow): Limits => ({
  object: 'limits',
  plan,
  limits: Object.fromEntries(limitNames.map((name) => [name, limitOf(limits[name])])) as Limits['limits'],
  budget: {
    month: timestamp(budget.monthStartsAt).slice(0, 7),
    limit_usd: plan.monthly_budget_usd,
    booked_usd: usd(budget.bookedMicroUsd),
    reserved_usd: usd(budget.reservedMicroUsd),
    remaining_usd: remaining(plan.monthly_budget_usd, budget),
    resets_at: timestamp(budget.resetsAt),
  },
})

const limitOf = ({ limit, used, remaining, resetsAt }: LimitNow) => ({
  limit,
  used,
  remaining,
  resets_at: nullableTimestamp(resetsAt),
})

/** What late answers cost can pass the budget. */
const remaining = (budgetUsd: number | null, { bookedMicroUsd, reservedMicroUsd }: LimitsNow['budget']) =>
  budgetUsd === null ? null : usd(Math.max(0, microUsd(budgetUsd) - bookedMicroUsd - reservedMicroUsd))
