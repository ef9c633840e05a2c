/** What an attempt cost: booked once for each (job, attempt), whatever becomes of the attempt's result. */
import { costMicroUsd, findModel } from '../catalog/models.ts'
import type { JobRecord } from './jobs.ts'

export interface TokenUsage {
  readonly inputTokens: number
  readonly outputTokens: number
}

type Booking = Pick<JobRecord, 'bookedAttempt' | 'inputTokens' | 'outputTokens' | 'costMicroUsd'>

/**
 * The change that books an attempt: what the provider counted, or the estimate where the outcome is unknown. Nothing for an attempt
 * that is booked already, or did no work (null). Attempts are booked in order: a claim books what came before it.
 */
export function bookAttempt(
  job: JobRecord,
  attempt: number,
  usage: TokenUsage | 'unknown' | null,
): Booking | null {
  if (usage === null || attempt <= job.bookedAttempt) return null
  const { inputTokens, outputTokens } = usage === 'unknown' ? { inputTokens: 0, outputTokens: 0 } : usage
  return {
    bookedAttempt: attempt,
    inputTokens: (job.inputTokens ?? 0) + inputTokens,
    outputTokens: (job.outputTokens ?? 0) + outputTokens,
    costMicroUsd: (job.costMicroUsd ?? 0) + costOf(job, usage),
  }
}

function costOf(job: JobRecord, usage: TokenUsage | 'unknown'): number {
  const model = findModel(job.model)
  if (usage === 'unknown' || !model) return job.estimateMicroUsd
  return costMicroUsd(model, usage.inputTokens, usage.outputTokens)
}
