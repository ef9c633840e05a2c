/** Cancelling works in every unfinished state; a result that comes later is dropped, its cost booked. */
import type { LedgerContext } from './context.ts'
import { firstAnswer, type RequestKey, recordKey } from './idempotency.ts'
import { type JobSnapshot, snapshot } from './job-snapshots.ts'
import { findJob, moveJob } from './jobs.ts'
import { done, type Outcome, refused } from './replies.ts'

export interface Cancelled {
  readonly job: JobSnapshot
  readonly replayed: boolean
}

/** `key` is null when the caller sent no Idempotency-Key. */
export function cancelJob(ctx: LedgerContext, id: string, key: RequestKey | null): Outcome<Cancelled> {
  const first = key && firstAnswer(ctx.db, key)
  if (first && 'ok' in first) return first
  if (first) return done({ job: JSON.parse(first.response ?? '') as JobSnapshot, replayed: true })

  const job = findJob(ctx.db, id)
  if (!job) return refused('not-found', 'There is no such job.')
  const moved = moveJob(ctx, job, { type: 'cancel' })
  if (!moved) return refused('job-settled', `The job has already ended; its status is ${job.status}.`)

  const cancelled = snapshot(moved, () => null)
  if (key) recordKey(ctx.db, key, id, JSON.stringify(cancelled), ctx.now)
  return done({ job: cancelled, replayed: false })
}
