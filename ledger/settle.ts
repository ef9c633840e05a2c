/** Settling: the outcome of an attempt becomes the job's, fenced by the attempt number and idempotent by (job, attempt). */

import type { FailureClass } from '../openapi/job-words.ts'
import { isItem, itemUsed } from './batches/item-ended.ts'
import { freeReservation } from './budget.ts'
import type { LedgerContext } from './context.ts'
import { queueDeadLetter, queueItemDeadLetter } from './dead-letters.ts'
import { type JobEvent, maySettle } from './job.ts'
import { findJob, type JobRecord, moveJob, updateJob } from './jobs.ts'
import { type Failure, isDeadLetter, judge } from './judge.ts'
import { dropLateOutput } from './retention.ts'
import { bookAttempt, type TokenUsage } from './usage.ts'

export type AttemptOutcome =
  | { kind: 'completed'; output: string | null; outputRef: string | null }
  | ({ kind: 'failed' } & Failure)

export interface Settlement {
  readonly jobId: string
  readonly attempt: number
  readonly outcome: AttemptOutcome
  /** What the provider counted; `unknown` where nobody knows what it did, null where it did no work. */
  readonly usage: TokenUsage | 'unknown' | null
  readonly providerRequestId: string | null
  /** The version that answered, where the provider says so. */
  readonly modelVersion?: string | null
}

/** What became of an attempt. Costs are integer micro-USD. */
export type Settled =
  | { kind: 'settled'; status: JobRecord['status']; retryInMs: number | null; costMicroUsd: number }
  /** The attempt was settled before: by this very call, whose reply was lost, or by another that held the same claim. */
  | { kind: 'already'; costMicroUsd: number }
  /** A newer claim, a cancellation or the deadline came first; the cost is booked, the result dropped. */
  | { kind: 'superseded'; costMicroUsd: number }
  | { kind: 'unknown_job' }

export function settleJob(ctx: LedgerContext, settlement: Settlement): Settled {
  const job = findJob(ctx.db, settlement.jobId)
  if (!job) {
    dropLateOutput(ctx, settlement.outcome, null)
    return { kind: 'unknown_job' }
  }
  if (!maySettle(job, settlement.attempt)) return bookLate(ctx, job, settlement)

  const event = eventFor(ctx, job, settlement.outcome)
  const moved = moveJob(ctx, job, event, {
    ...contentOf(settlement),
    ...bookAttempt(ctx, job, settlement.attempt, usageOf(settlement)),
  })
  if (!moved) return { kind: 'already', costMicroUsd: 0 }
  if (moved.status === 'failed') deadLetterIfOurs(ctx, moved)
  const retryInMs = event.type === 'retry' ? event.delayMs : null
  return { kind: 'settled', status: moved.status, retryInMs, costMicroUsd: costOf(job, moved) }
}

const costOf = (before: JobRecord, after: Partial<JobRecord>) =>
  (after.costMicroUsd ?? before.costMicroUsd ?? 0) - (before.costMicroUsd ?? 0)

function contentOf({ outcome, providerRequestId, modelVersion }: Settlement) {
  const content = outcome.kind === 'completed' ? { output: outcome.output, outputRef: outcome.outputRef } : {}
  return { ...content, providerRequestId, ...(modelVersion && { modelVersion }) }
}

function eventFor(ctx: LedgerContext, job: JobRecord, outcome: AttemptOutcome): JobEvent {
  if (outcome.kind === 'completed') return { type: 'succeed' }
  const verdict = judge(outcome, job.failures, ctx.settings.backoff, ctx.random)
  return verdict.kind === 'retry'
    ? {
        type: 'retry',
        class: outcome.class,
        delayMs: verdict.delayMs,
        unknown: isUnknown(outcome.class),
      }
    : { type: 'fail', class: outcome.class }
}

export function deadLetterIfOurs(ctx: LedgerContext, job: JobRecord): void {
  if (!job.errorClass || !isDeadLetter(job.errorClass, job.failures)) return
  if (isItem(job)) queueItemDeadLetter(ctx, job, job.errorClass)
  else queueDeadLetter(ctx, job, job.errorClass)
}

/** No call can have counted more: it is a figure that makes no sense. */
const MOST_TOKENS = 1_000_000_000
const isCount = (count: number) => Number.isInteger(count) && count >= 0 && count <= MOST_TOKENS

/** After a timeout nobody knows what the provider did, nor whether it did anything; nor after figures that make no sense. */
function usageOf({ outcome, usage }: Settlement): Settlement['usage'] {
  if (usage === null) return outcome.kind === 'failed' && outcome.class === 'timeout' ? 'unknown' : null
  return usage === 'unknown' || (isCount(usage.inputTokens) && isCount(usage.outputTokens))
    ? usage
    : 'unknown'
}

/**
 * Whether the provider may still hold the answer to this very call: nothing came in time, or what came (a 502, a broken connection)
 * says nothing of it. An answer that was of no use is an answer.
 */
const isUnknown = (failed: FailureClass) => failed === 'timeout' || failed === 'provider_unavailable'

function bookLate(ctx: LedgerContext, job: JobRecord, settlement: Settlement): Settled {
  dropLateOutput(ctx, settlement.outcome, job)
  const booked = bookAttempt(ctx, job, settlement.attempt, usageOf(settlement))
  const heard = job.bookBy !== null && settlement.attempt === job.attempt
  const change = { ...booked, ...(heard && { bookBy: null, ...freeReservation(ctx, { ...job, ...booked }) }) }
  if (isItem(job) && Object.keys(booked).length > 0) itemUsed(ctx, { ...job, ...booked })
  if (Object.keys(change).length > 0) updateJob(ctx.db, job.id, { ...change, version: job.version + 1 })
  const isRepeat = job.attempt === settlement.attempt && job.settledAttempt === settlement.attempt
  return { kind: isRepeat ? 'already' : 'superseded', costMicroUsd: costOf(job, booked) }
}
