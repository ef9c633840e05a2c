/** Which jobs may be sent to the queues now: retries that are due, then accepted jobs in the order of their rank. */
import { and, asc, eq, isNotNull, lte, sql } from 'drizzle-orm'
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

const notPaused = sql`${jobs.model} not in (select value from json_each(${arg('paused')}))`

/** What the catalog does not allow (any more) waits, and takes nobody's place: it is not sent only to be refused. */
const isAllowed = sql`${jobs.model} || '|' || ${jobs.kind} || '|' || ${jobs.confidentiality} in (select value from json_each(${arg('allowed')}))`

const retriesDue = statement((db) =>
  db
    .select(columns)
    .from(jobs)
    .where(
      and(
        isNotNull(jobs.dueAt),
        eq(jobs.status, 'retrying'),
        lte(jobs.dueAt, arg('now')),
        isAllowed,
        notPaused,
      ),
    )
    .orderBy(asc(jobs.dueAt))
    .limit(arg('limit'))
    .prepare(),
)
const accepted = statement((db) =>
  db
    .select(columns)
    .from(jobs)
    .where(and(isNotNull(jobs.dueAt), eq(jobs.status, 'accepted'), isAllowed, notPaused))
    .orderBy(asc(jobs.dueAt))
    .limit(arg('limit'))
    .prepare(),
)

/**
 * Up to `slots` jobs that are waiting, not in `dispatched`, among the `allowed` combinations (see `allowedCombinations`), and of none of
 * the `pausedModels`.
 */
export function runnableJobs(
  db: Db,
  now: number,
  slots: number,
  dispatched: { has(id: string): boolean; size: number },
  allowed: string,
  pausedModels: string[],
): Runnable[] {
  const limit = slots + dispatched.size
  const which = { limit, allowed, paused: JSON.stringify(pausedModels) }
  const waiting = [...retriesDue(db).all({ ...which, now }), ...accepted(db).all(which)]
  return waiting.filter(({ id }) => !dispatched.has(id)).slice(0, slots)
}
