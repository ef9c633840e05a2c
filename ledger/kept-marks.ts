/** Marks of dispatched jobs, as a ledger keeps them for a life of the object that does not have them in memory. */
import type { Marks } from './dispatcher.ts'
import { findJob } from './jobs.ts'
import { readMeta, writeMeta } from './meta.ts'
import type { Db } from './store.ts'

/** Kept marks of jobs that still wait: those of others have had their claim, or their end, since. */
export function marksOfWaiting(db: Db): Marks {
  const waits = (id: string) => ['accepted', 'retrying'].includes(findJob(db, id)?.status ?? '')
  return Object.fromEntries(Object.entries(readMeta(db, 'marks') ?? {}).filter(([id]) => waits(id)))
}

/** Marks that are still there when the alarm fires may outlive the memory; with none to keep, nothing is written. */
export function keepMarks(db: Db, marks: Marks): void {
  const kept = readMeta(db, 'marks') ?? {}
  if (Object.keys(marks).length + Object.keys(kept).length > 0) writeMeta(db, 'marks', marks)
}
