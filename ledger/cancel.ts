/** Cancelling works in every unfinished state; a result that comes later is dropped, its cost booked. */
import type { LedgerContext } from './context.ts'
import { findJob, type JobRecord, moveJob } from './jobs.ts'
import { done, type Outcome, refused } from './replies.ts'

export function cancelJob(ctx: LedgerContext, id: string): Outcome<JobRecord> {
  const job = findJob(ctx.db, id)
  if (!job) return refused('not-found', 'There is no such job.')
  const moved = moveJob(ctx, job, { type: 'cancel' })
  return moved
    ? done(moved)
    : refused('job-settled', `The job has already ended; its status is ${job.status}.`)
}
