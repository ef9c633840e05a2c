/** Which jobs may be sent to the queues now: retries that are due, then accepted jobs in the order of their rank. */
import { and, asc, eq, isNotNull, lte, sql } from 'drizzle-orm'
import { allowedCombinations } from '../catalog/models.ts'
import { jobs } from './schema.ts'
import { arg, type Db, statement } from './store.ts'

const columns = {
  id: jobs.id,
  kind: jobs.kind,
  model: jobs.model,
  attempt: jobs.attempt,
  lostLeases: jobs.lostLeases,
  inputRef: jobs.inputRef,
}
export type Runnable = Pick<typeof jobs.$inferSelect, keyof typeof columns>

/** What the catalog does not allow (any more) waits, and takes nobody's place: it is not sent only to be refused. */
const allowed = sql`${jobs.model} || '|' || ${jobs.kind} || '|' || ${jobs.confidentiality} in (select value from json_each(${allowedCombinations}))`

const retriesDue = statement((db) =>
  db
    .select(columns)
    .from(jobs)
    .where(and(isNotNull(jobs.dueAt), eq(jobs.status, 'retrying'), lte(jobs.dueAt, arg('now')), allowed))
    .orderBy(asc(jobs.dueAt))
    .limit(arg('limit'))
    .prepare(),
)
const accepted = statement((db) =>
  db
    .select(columns)
    .from(jobs)
    .where(and(isNotNull(jobs.dueAt), eq(jobs.status, 'accepted'), allowed))
    .orderBy(asc(jobs.dueAt))
    .limit(arg('limit'))
    .prepare(),
)

/** Up to `slots` jobs that are waiting and not in `dispatched`. */
export function runnableJobs(
  db: Db,
  now: number,
  slots: number,
  dispatched: { has(id: string): boolean; size: number },
): Runnable[] {
  const limit = slots + dispatched.size
  const waiting = [...retriesDue(db).all({ now, limit }), ...accepted(db).all({ limit })]
  return waiting.filter(({ id }) => !dispatched.has(id)).slice(0, slots)
}
