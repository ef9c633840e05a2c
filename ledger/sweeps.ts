/** All that a ledger's alarm sweeps in one transaction, and when the tables say that there is something to. */
import { nextBatchDeadline, sweepBatchDeadlines } from './batches/deadlines.ts'
import type { LedgerContext } from './context.ts'
import { nextFileDue, sweepFiles } from './files.ts'
import type { Db } from './store.ts'
import { nextLeaseEnd, nextRetry, nextUnbooked, sweepDeadlines, sweepLeases, sweepUnbooked } from './sweep.ts'

export function sweepAll(ctx: LedgerContext): void {
  sweepLeases(ctx)
  sweepDeadlines(ctx)
  sweepBatchDeadlines(ctx)
  sweepFiles(ctx)
  sweepUnbooked(ctx)
}

/** Deadlines of jobs aside, which memory knows; null for each kind of thing that is not due at all. */
export const nextSweeps = (db: Db, now: number): (number | null)[] => [
  nextLeaseEnd(db),
  nextRetry(db, now),
  nextUnbooked(db),
  nextFileDue(db),
  nextBatchDeadline(db, now),
]
