/** Keeping a lease on an attempt that takes longer than one lease. */
import { and, eq } from 'drizzle-orm'
import type { LedgerContext } from './context.ts'
import { jobs } from './schema.ts'

export interface HeldLease {
  readonly jobId: string
  readonly attempt: number
}

/** False when the attempt is no longer the running one: its holder should stop. */
export function extendLease({ db, now, settings }: LedgerContext, { jobId, attempt }: HeldLease): boolean {
  const held = and(eq(jobs.id, jobId), eq(jobs.attempt, attempt), eq(jobs.status, 'running'))
  const extended = db
    .update(jobs)
    .set({ dueAt: now + settings.leaseMs })
    .where(held)
    .returning({ id: jobs.id })
    .all()
  return extended.length > 0
}
