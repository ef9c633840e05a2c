/** What in R2 is needed by which job, and what is to go. Bytes are deleted after the commit that dooms them, never in it. */
import { eq, inArray, sql } from 'drizzle-orm'
import { contentRefs, doomedContent } from './schema.ts'
import { arg, type Db, rowOf, statement } from './store.ts'

const insertRef = statement((db) =>
  db.insert(contentRefs).values(rowOf(contentRefs)).onConflictDoNothing().prepare(),
)
const insertDoomed = statement((db) =>
  db.insert(doomedContent).values(rowOf(doomedContent)).onConflictDoNothing().prepare(),
)
const selectDoomed = statement((db) => db.select().from(doomedContent).limit(arg('limit')).prepare())

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

/** The objects are to be deleted. */
export function doom(db: Db, refs: readonly string[], now: number): void {
  for (const ref of refs) insertDoomed(db).run({ ref, since: now })
}

/** Up to `limit` objects that are still to be deleted. */
export const doomedRefs = (db: Db, limit: number): string[] =>
  selectDoomed(db)
    .all({ limit })
    .map(({ ref }) => ref)

/** The objects are gone. */
export function forgetDoomed(db: Db, refs: readonly string[]): void {
  if (refs.length > 0)
    db.delete(doomedContent)
      .where(inArray(doomedContent.ref, [...refs]))
      .run()
}
