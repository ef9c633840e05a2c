/**
 * Uploaded files. A file is there until it expires or its owner deletes it; its bytes stay while something needs them: those of
 * an expired one while the content of any job or batch does, those of a deleted one while an unfinished one does. The row goes with the bytes.
 */
import { asc, desc, eq, inArray, lte, min, sql } from 'drizzle-orm'
import { doom } from './content-refs.ts'
import type { LedgerContext } from './context.ts'
import { heldNow } from './epoch.ts'
import { firstAnswer, type RequestKey, recordKey } from './idempotency.ts'
import { done, type Outcome, refused } from './replies.ts'
import { batches, contentRefs, files, jobs } from './schema.ts'
import { arg, type Db, rowOf, statement } from './store.ts'

export type FileRow = typeof files.$inferSelect

export interface FileRequest {
  /** Minted by the gateway, so that a call repeated after a lost reply is recognised as the same one. */
  readonly id: string
  /** Where the bytes lie in R2 already. */
  readonly ref: string
  readonly contentType: string
  readonly bytes: number
  /** Hex. */
  readonly sha256: string
  readonly createdBy: string
  readonly retentionSeconds: number
  /** Null when the caller sent no Idempotency-Key. */
  readonly key: RequestKey | null
}

export interface CreatedFile {
  readonly file: FileRow
  readonly replayed: boolean
}

const PAGE = 200
const SOONEST_LOOK_MS = 60_000
const LATEST_LOOK_MS = 6 * 3_600_000

const selectFile = statement((db) =>
  db
    .select()
    .from(files)
    .where(eq(files.id, arg('id')))
    .prepare(),
)
const insertFile = statement((db) => db.insert(files).values(rowOf(files)).prepare())

/** The bytes of a replayed upload are left where they are: a janitor finds what no row names. */
export function createFile(ctx: LedgerContext, request: FileRequest): Outcome<CreatedFile> {
  const { key, retentionSeconds, ...fields } = request
  const first = key && firstAnswer(ctx.db, key)
  if (first && 'ok' in first) return first
  if (first)
    return done({
      file: JSON.parse(first.response ?? '') as FileRow,
      replayed: first.resourceId !== request.id,
    })
  const repeated = selectFile(ctx.db).get({ id: request.id })
  if (repeated) return done({ file: repeated, replayed: false })

  if (ctx.standing.held) return heldNow

  const expiresAt = ctx.now + retentionSeconds * 1000
  const file = { ...fields, createdAt: ctx.now, expiresAt, deletedAt: null, dueAt: expiresAt }
  insertFile(ctx.db).run(file)
  if (key) recordKey(ctx.db, key, file.id, JSON.stringify(file), ctx.now)
  return done({ file, replayed: false })
}

const isThere = (file: FileRow, now: number) => file.deletedAt === null && now < file.expiresAt

/** The file, for whoever may still use it. */
export function findFile({ db, now }: Pick<LedgerContext, 'db' | 'now'>, id: string): FileRow | undefined {
  const file = selectFile(db).get({ id })
  return file && isThere(file, now) ? file : undefined
}

const noSuchFile = refused('not-found', 'There is no such file.')

export function readFile(ctx: LedgerContext, id: string): Outcome<FileRow> {
  const file = findFile(ctx, id)
  return file ? done(file) : noSuchFile
}

/** Gone at once for its owner; its bytes follow when no unfinished job needs them. */
export function deleteFile(ctx: LedgerContext, id: string): Outcome<null> {
  const file = findFile(ctx, id)
  if (!file) return noSuchFile
  ctx.db.update(files).set({ deletedAt: ctx.now }).where(eq(files.id, id)).run()
  removeUnlessNeeded(ctx, { ...file, deletedAt: ctx.now })
  return done(null)
}

/** The rows of files, there or not any more, as long as their bytes are kept. */
export const keptFiles = (db: Db, ids: readonly string[]): FileRow[] =>
  ids.length === 0
    ? []
    : db
        .select()
        .from(files)
        .where(inArray(files.id, [...ids]))
        .all()

/** Something that needed these files does not any more: those that are not there for anybody go now. */
export function letGoOf(ctx: LedgerContext, ids: readonly string[]): void {
  for (const file of keptFiles(ctx.db, ids)) if (!isThere(file, ctx.now)) removeUnlessNeeded(ctx, file)
}

/** Looks at files whose time has come; answers how many. */
export function sweepFiles(ctx: LedgerContext): number {
  const due = ctx.db
    .select()
    .from(files)
    .where(lte(files.dueAt, ctx.now))
    .orderBy(asc(files.dueAt))
    .limit(PAGE)
    .all()
  for (const file of due) removeUnlessNeeded(ctx, file)
  return due.length
}

const earliest = statement((db) =>
  db
    .select({ at: min(files.dueAt) })
    .from(files)
    .prepare(),
)
export const nextFileDue = (db: Db): number | null => earliest(db).get()?.at ?? null

function removeUnlessNeeded({ db, now }: LedgerContext, file: FileRow): void {
  if (isNeeded(db, file)) {
    const waited = now - (file.deletedAt ?? file.expiresAt)
    const dueAt = now + Math.min(LATEST_LOOK_MS, Math.max(SOONEST_LOOK_MS, waited))
    db.update(files).set({ dueAt }).where(eq(files.id, file.id)).run()
  } else {
    db.delete(files).where(eq(files.id, file.id)).run()
    doom(db, [file.ref], now)
  }
}

const anyHolder = statement((db) => holders(db).limit(1).prepare())
/** The newest first: of many holders it is the one that is most likely unfinished. */
const openHolder = statement((db) =>
  holders(
    db,
    sql`and (exists (select 1 from ${jobs} where ${jobs.id} = ${contentRefs.jobId} and ${jobs.dueAt} is not null)
      or exists (select 1 from ${batches} where ${batches.id} = ${contentRefs.jobId} and ${batches.finishedAt} is null))`,
  )
    .orderBy(desc(contentRefs.jobId))
    .limit(1)
    .prepare(),
)

const holders = (db: Db, which = sql``) =>
  db
    .select({ jobId: contentRefs.jobId })
    .from(contentRefs)
    .where(sql`${eq(contentRefs.ref, arg('ref'))} ${which}`)

const isNeeded = (db: Db, { ref, deletedAt }: FileRow) =>
  (deletedAt === null ? anyHolder : openHolder)(db).get({ ref }) !== undefined
