/** What in R2 is needed by which job, and what is to go. Bytes are deleted after the commit that dooms them, never in it. */
import { and, eq, inArray, lte, min, sql } from 'drizzle-orm'
import { contentRefs, doomedContent } from './schema.ts'
import { arg, type Db, rowOf, statement } from './store.ts'

const insertRef = statement((db) =>
  db.insert(contentRefs).values(rowOf(contentRefs)).onConflictDoNothing().prepare(),
)
const insertDoomed = statement((db) =>
  db
    .insert(doomedContent)
    .values(rowOf(doomedContent))
    .onConflictDoUpdate({ target: doomedContent.ref, set: { since: sql`max(since, excluded.since)` } })
    .prepare(),
)
const selectDoomed = statement((db) =>
  db
    .select()
    .from(doomedContent)
    .where(lte(doomedContent.since, arg('now')))
    .limit(arg('limit'))
    .prepare(),
)
const selectEarliest = statement((db) =>
  db
    .select({ at: min(doomedContent.since) })
    .from(doomedContent)
    .prepare(),
)

/** The job's content needs these objects, until `releaseRefs`. */
export function holdRefs(db: Db, jobId: string, refs: readonly string[]): void {
  for (const ref of refs) insertRef(db).run({ ref, jobId })
}

/** The job needs its objects no more. */
export function releaseRefs(db: Db, jobId: string, refs: readonly string[]): void {
  if (refs.length === 0) return
  db.delete(contentRefs)
    .where(sql`${eq(contentRefs.jobId, jobId)} and ${inArray(contentRefs.ref, [...refs])}`)
    .run()
}

/** IDs of the jobs that need the object. */
export const holdersOf = (db: Db, ref: string): string[] =>
  db
    .select({ jobId: contentRefs.jobId })
    .from(contentRefs)
    .where(eq(contentRefs.ref, ref))
    .all()
    .map(({ jobId }) => jobId)

/** It needs nothing any more. No index has what is needed by whom: for what held many objects. */
export const releaseAllRefs = (db: Db, holder: string) => {
  db.delete(contentRefs).where(eq(contentRefs.jobId, holder)).run()
}

/** The earliest `since`, so that asking costs no query while nothing changes; too early after a rollback, which costs a look. */
const earliest = new WeakMap<Db, number>()

/**
 * The objects are to be deleted; a ref that ends with a slash stands for all under it. `since`: from when on a deletion is final,
 * usually now; later where something may still be written until then.
 */
export function doom(db: Db, refs: readonly string[], since: number): void {
  for (const ref of refs) insertDoomed(db).run({ ref, since })
  const known = earliest.get(db)
  if (known !== undefined && refs.length > 0) earliest.set(db, Math.min(known, since))
}

/** Up to `limit` objects that are to be deleted by now. */
export function doomedRefs(db: Db, now: number, limit: number): string[] {
  const refs = selectDoomed(db).all({ now, limit })
  if (refs.length === 0) earliest.delete(db)
  return refs.map(({ ref }) => ref)
}

/** When the next object is to be deleted; null when there is none. */
export function nextDoom(db: Db): number | null {
  const known = earliest.get(db) ?? selectEarliest(db).get()?.at ?? Number.POSITIVE_INFINITY
  earliest.set(db, known)
  return Number.isFinite(known) ? known : null
}

/** The objects were deleted at `at`; what was doomed anew since then stays. */
export function forgetDoomed(db: Db, refs: readonly string[], at: number): void {
  earliest.delete(db)
  const listed = sql`${doomedContent.ref} in (select value from json_each(${JSON.stringify(refs)}))`
  db.delete(doomedContent)
    .where(and(listed, lte(doomedContent.since, at)))
    .run()
}
