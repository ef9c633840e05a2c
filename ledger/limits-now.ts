/** What a tenant's plan allows, and what of it is used at the moment. */
import type { LimitName } from '../openapi/limits.ts'
import type { Plan } from '../openapi/plan.ts'
import { countChunksOut } from './batches/places.ts'
import { countOpenBatches } from './batches/refusals.ts'
import { monthOf, spentIn } from './budget.ts'
import type { LedgerContext } from './context.ts'
import { countEndpoints } from './endpoints.ts'
import { countRunningJobs } from './jobs.ts'
import type { LimitNow, Pace } from './limits.ts'

export interface LimitsNow {
  readonly plan: Plan
  readonly limits: Readonly<Record<LimitName, LimitNow>>
  readonly budget: {
    readonly monthStartsAt: number
    readonly resetsAt: number
    readonly bookedMicroUsd: number
    readonly reservedMicroUsd: number
  }
}

/** What the tables do not tell: the windows of rates, and jobs that were dispatched and are not running yet. */
export interface Moment {
  readonly pace: Pace
  readonly dispatched: number
}

export function limitsNow(ctx: LedgerContext, { pace, dispatched }: Moment): LimitsNow {
  const { db, plan, openJobs } = ctx
  const counted = (limit: number, used: number): LimitNow => ({
    limit,
    used,
    remaining: Math.max(0, limit - used),
    resetsAt: null,
  })
  return {
    plan,
    limits: {
      ...pace,
      max_running: counted(plan.max_running, countRunningJobs(db) + dispatched),
      max_backlog: counted(plan.max_backlog, openJobs),
      max_open_batches: counted(plan.max_open_batches, countOpenBatches(db)),
      max_batch_chunks: counted(plan.max_batch_chunks, countChunksOut(db)),
      max_webhook_endpoints: counted(plan.max_webhook_endpoints, countEndpoints(db)),
    },
    budget: budgetNow(ctx),
  }
}

function budgetNow({ db, now, reserved }: LedgerContext): LimitsNow['budget'] {
  const month = monthOf(now)
  return {
    ...monthAround(now),
    bookedMicroUsd: spentIn(db, month),
    reservedMicroUsd: reserved.get(month) ?? 0,
  }
}

function monthAround(now: number) {
  const date = new Date(now)
  const [year, month] = [date.getUTCFullYear(), date.getUTCMonth()]
  return { monthStartsAt: Date.UTC(year, month), resetsAt: Date.UTC(year, month + 1) }
}
