/** What an attempt cost: booked once for each (job, attempt), whatever becomes of the attempt's result. */
import { costMicroUsd, findModel } from '../catalog/models.ts'
import { itemBooked } from './batches/item-ended.ts'
import { bookSpend, freeReservation, monthOf } from './budget.ts'
import type { LedgerContext } from './context.ts'
import type { JobRecord } from './jobs.ts'
import { countUsage } from './usage-days.ts'

export interface TokenUsage {
  readonly inputTokens: number
  readonly outputTokens: number
}

type Booking = Partial<
  Pick<
    JobRecord,
    | 'bookedAttempt'
    | 'bookBy'
    | 'inputTokens'
    | 'outputTokens'
    | 'costMicroUsd'
    | 'reservedMicroUsd'
    | 'reservedMonth'
  >
>

/**
 * Books an attempt to the month's budget and the day's usage, and answers the change of the job's row: what the provider counted,
 * or the estimate where the outcome is unknown. Nothing for an attempt that is booked already, or did no work (null). Attempts are
 * booked in order: a claim books what came before it.
 */
export function bookAttempt(
  ctx: LedgerContext,
  job: JobRecord,
  attempt: number,
  usage: TokenUsage | 'unknown' | null,
): Booking {
  if (usage === null || attempt <= job.bookedAttempt) return {}
  const { inputTokens, outputTokens } = usage === 'unknown' ? { inputTokens: 0, outputTokens: 0 } : usage
  const cost = costOf(job, usage)
  bookSpend(ctx, job.reservedMonth ?? monthOf(ctx.now), cost)
  const booked = { inputTokens, outputTokens, costMicroUsd: cost }
  countUsage(ctx, job, booked)
  itemBooked(ctx, job, booked)
  return {
    bookedAttempt: attempt,
    inputTokens: (job.inputTokens ?? 0) + inputTokens,
    outputTokens: (job.outputTokens ?? 0) + outputTokens,
    costMicroUsd: (job.costMicroUsd ?? 0) + cost,
    ...(attempt === job.attempt && { ...freeReservation(ctx, job), bookBy: null }),
  }
}

function costOf(job: JobRecord, usage: TokenUsage | 'unknown'): number {
  const model = findModel(job.model)
  if (usage === 'unknown' || !model) return job.estimateMicroUsd
  return costMicroUsd(model, usage.inputTokens, usage.outputTokens)
}
