/** What an attempt cost: booked once for each (job, attempt), whatever becomes of the attempt's result. */
import { costMicroUsd, findModel } from '../catalog/models.ts'
import type { JobRecord } from './jobs.ts'

export interface TokenUsage {
  readonly inputTokens: number
  readonly outputTokens: number
}

type Booking = Pick<JobRecord, 'bookedAttempts' | 'inputTokens' | 'outputTokens' | 'costMicroUsd'>

/**
 * The change that books an attempt: what the provider counted, or the estimate where the outcome is unknown. Nothing for an attempt
 * that is booked already, or did no work (null).
 */
export function bookAttempt(
  job: JobRecord,
  attempt: number,
  usage: TokenUsage | 'unknown' | null,
): Booking | null {
  const bit = 2 ** attempt
  if (usage === null || Math.floor(job.bookedAttempts / bit) % 2 === 1) return null
  const { inputTokens, outputTokens } = usage === 'unknown' ? { inputTokens: 0, outputTokens: 0 } : usage
  return {
    bookedAttempts: job.bookedAttempts + bit,
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
