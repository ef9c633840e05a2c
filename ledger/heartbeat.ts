/** Keeping a lease on an attempt that takes longer than one lease. */
import type { LedgerContext } from './context.ts'
import { maySettle } from './job.ts'
import { findJob, updateJob } from './jobs.ts'

export interface HeldLease {
  readonly jobId: string
  readonly attempt: number
}

/**
 * False when the attempt can no longer settle: its holder should stop. One whose lease ran out may go on as long as nobody has
 * claimed the next, but gets no new lease: the next is on its way.
 */
export function extendLease({ db, now, settings }: LedgerContext, { jobId, attempt }: HeldLease): boolean {
  const job = findJob(db, jobId)
  if (!job || !maySettle(job, attempt)) return false
  if (job.status === 'running') {
    updateJob(db, jobId, { dueAt: now + settings.leaseMs })
  }
  return true
}
