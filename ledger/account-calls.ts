/** What a ledger is asked about its tenant's account: the plan, what of it is left, what was used. */
import type { Plan } from '../openapi/plan.ts'
import type { UsageGrouping } from '../openapi/usage.ts'
import { countOpenBatches } from './batches/refusals.ts'
import { notReady } from './desk.ts'
import { type LimitsNow, limitsNow } from './limits-now.ts'
import { done, type Reply } from './replies.ts'
import { type UsageRange, type UsageSum, usageBy } from './usage-reports.ts'
import { WebhookCalls } from './webhook-calls.ts'

export interface Unfinished {
  readonly jobs: number
  readonly batches: number
}

/** Longer than it takes to tell. */
const STAND_STILL_MS = 10_000

export abstract class AccountCalls extends WebhookCalls {
  readPlan(): Reply<Plan> {
    return this.runtime.desk.admit(({ plan }) => done(plan))
  }

  /** The request itself is among those counted. */
  readLimits(): Reply<LimitsNow> {
    return this.runtime.desk.admit((ctx) => {
      const moment = this.runtime.releaser.moment(ctx.now)
      return moment ? done(limitsNow(ctx, moment)) : notReady
    })
  }

  /** Before the tenant is deleted. Where nothing is unfinished, no request is taken until that is told, or has failed. */
  standStill(): Unfinished {
    const { desk, db } = this.runtime
    if (!desk.life) return { jobs: 0, batches: 0 }
    const unfinished = { jobs: desk.life.open.total, batches: countOpenBatches(db) }
    if (unfinished.jobs + unfinished.batches === 0) desk.close(Date.now() + STAND_STILL_MS)
    return unfinished
  }

  readUsage(grouping: UsageGrouping, range: UsageRange): Reply<UsageSum[]> {
    return this.runtime.desk.admit(({ db }) => done(usageBy(db, grouping, range)))
  }
}
