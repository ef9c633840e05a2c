/** Settling: the outcome of an attempt becomes the job's, fenced by the attempt number and idempotent by (job, attempt). */
import type { LedgerContext } from './context.ts'
import { queueDeadLetter } from './dead-letters.ts'
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
  /** What the provider counted; null where it did no work. */
  readonly usage: TokenUsage | null
  readonly providerRequestId: string | null
}

/** `superseded`: a newer claim, a cancellation or the deadline came first; the cost is booked, the result dropped. */
export type Settled = 'settled' | 'already' | 'superseded' | 'unknown_job'

export function settleJob(ctx: LedgerContext, settlement: Settlement): Settled {
  const job = findJob(ctx.db, settlement.jobId)
  if (!job) {
    dropLateOutput(ctx, settlement.outcome, null)
    return 'unknown_job'
  }
  if (!maySettle(job, settlement.attempt)) return bookLate(ctx, job, settlement)

  const event = eventFor(ctx, job, settlement.outcome)
  const { outcome, providerRequestId } = settlement
  const content = outcome.kind === 'completed' ? { output: outcome.output, outputRef: outcome.outputRef } : {}
  const moved = moveJob(ctx, job, event, {
    ...content,
    providerRequestId,
    ...bookAttempt(job, settlement.attempt, usageOf(settlement)),
  })
  if (moved?.status === 'failed') deadLetterIfOurs(ctx, moved)
  return 'settled'
}

function eventFor(ctx: LedgerContext, job: JobRecord, outcome: AttemptOutcome): JobEvent {
  if (outcome.kind === 'completed') return { type: 'succeed' }
  const verdict = judge(outcome, job.failures, job.attempt, ctx.settings.backoff, ctx.random)
  return verdict.kind === 'retry'
    ? { type: 'retry', class: outcome.class, delayMs: verdict.delayMs }
    : { type: 'fail', class: outcome.class }
}

export function deadLetterIfOurs(ctx: LedgerContext, job: JobRecord): void {
  if (job.errorClass && isDeadLetter(job.errorClass, job.failures)) queueDeadLetter(ctx, job, job.errorClass)
}

/** After a timeout nobody knows what the provider did. */
const usageOf = ({ outcome, usage }: Settlement) =>
  usage === null && outcome.kind === 'failed' && outcome.class === 'timeout' ? 'unknown' : usage

function bookLate(ctx: LedgerContext, job: JobRecord, settlement: Settlement): Settled {
  dropLateOutput(ctx, settlement.outcome, job)
  const booked = bookAttempt(job, settlement.attempt, usageOf(settlement))
  if (booked) {
    const set = { ...booked, version: job.version + 1 }
    updateJob(ctx.db, job.id, set)
  }
  return job.attempt === settlement.attempt && job.settledAttempt === settlement.attempt
    ? 'already'
    : 'superseded'
}
