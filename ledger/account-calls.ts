/** What a ledger is asked about its tenant's account: the plan, what of it is left, what was used. */
import type { Plan } from '../openapi/ops.ts'
import type { UsageGrouping } from '../openapi/usage.ts'
import { notReady } from './desk.ts'
import { type LimitsNow, limitsNow } from './limits-now.ts'
import { done, type Reply } from './replies.ts'
import { type UsageRange, type UsageSum, usageBy } from './usage-reports.ts'
import { WebhookCalls } from './webhook-calls.ts'

export abstract class AccountCalls extends WebhookCalls {
  readPlan(): Reply<Plan> {
    return this.runtime.desk.admit(({ plan }) => done(plan))
  }

  /** The request itself is among those counted. */
  readLimits(): Reply<LimitsNow> {
    return this.runtime.desk.admit((ctx) => {
      const moment = this.runtime.moment(ctx.now)
      return moment ? done(limitsNow(ctx, moment)) : notReady
    })
  }

  readUsage(grouping: UsageGrouping, range: UsageRange): Reply<UsageSum[]> {
    return this.runtime.desk.admit(({ db }) => done(usageBy(db, grouping, range)))
  }
}
