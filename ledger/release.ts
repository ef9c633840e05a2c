/** Which jobs may be sent to the queues now: retries that are due, then accepted jobs in the order of their rank. */
import { and, asc, eq, isNotNull, lte, type SQL } from 'drizzle-orm'
import { jobs } from './schema.ts'
import type { Db } from './store.ts'

const columns = {
  id: jobs.id,
  kind: jobs.kind,
  model: jobs.model,
  attempt: jobs.attempt,
  lostLeases: jobs.lostLeases,
  inputRef: jobs.inputRef,
}
export type Runnable = Pick<typeof jobs.$inferSelect, keyof typeof columns>

const waiting = (db: Db, condition: SQL | undefined, limit: number): Runnable[] =>
  db
    .select(columns)
    .from(jobs)
    .where(and(isNotNull(jobs.dueAt), condition))
    .orderBy(asc(jobs.dueAt))
    .limit(limit)
    .all()

/** Up to `slots` jobs that are waiting and not in `dispatched`. */
export function runnableJobs(
  db: Db,
  now: number,
  slots: number,
  dispatched: { has(id: string): boolean; size: number },
): Runnable[] {
  const limit = slots + dispatched.size
  const retries = waiting(db, and(eq(jobs.status, 'retrying'), lte(jobs.dueAt, now)), limit)
  const accepted = waiting(db, eq(jobs.status, 'accepted'), limit)
  return [...retries, ...accepted].filter(({ id }) => !dispatched.has(id)).slice(0, slots)
}
