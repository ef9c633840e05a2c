/**
 * Retention of content: input, parameters and output of a job go when its time is up or its owner says so, and do not come back.
 *
 * An attempt that is still out can put its output into R2 after the deletion, and die before it settles. So what an attempt may have
 * left is deleted by its folder, and once more when no consumer can live any longer. A settlement that comes too late dooms the
 * output that it names.
 */
import { and, asc, isNotNull, isNull, lte, min } from 'drizzle-orm'
import { outputFolder } from './content.ts'
import { doom, holdersOf, releaseRefs } from './content-refs.ts'
import type { LedgerContext } from './context.ts'
import { keptFiles, letGoOf } from './files.ts'
import { type JobRecord, jobColumns, updateJob } from './jobs.ts'
import { jobs } from './schema.ts'
import type { AttemptOutcome } from './settle.ts'
import { type Db, statement } from './store.ts'

/** A queue consumer is ended after 15 minutes, whatever it does. */
const ATTEMPT_ENDS_MS = 20 * 60_000
/** Last deletions are gathered, so that a busy ledger has them in rounds. */
const GATHERED_MS = 5 * 60_000
/** What lost attempts left more than this long ago, the janitor has found (`janitor.ts`: daily, what is older than a day). */
const STRAYS_GONE_MS = 3 * 86_400_000
/** Jobs whose content is deleted in one step. */
const PAGE = 200

const noContent = { input: null, inputRef: null, output: null, outputRef: null, params: null } as const

/** Deletes the content of a job that has ended, and answers the objects that are to go: they are doomed already. */
export function deleteContent(ctx: LedgerContext, job: JobRecord): string[] {
  const refs = [...freeInput(ctx, job), ...(job.outputRef === null ? [] : [job.outputRef])]
  doom(ctx.db, refs, ctx.now)
  letGoOf(ctx, job.fileIds)
  const strays = strayFolders(ctx, job)
  doom(ctx.db, strays, lastDeletionAt(job.lastAttemptAt ?? 0, ctx.now))
  updateJob(ctx.db, job.id, { ...noContent, contentDeletedAt: ctx.now, version: job.version + 1 })
  return [...refs, ...strays]
}

/** The input object, if no other job needs it (one that was driven again shares it). Files have a life of their own. */
function freeInput({ db }: LedgerContext, { id, inputRef, fileIds }: JobRecord): string[] {
  const fileRefs = keptFiles(db, fileIds).map(({ ref }) => ref)
  releaseRefs(db, id, [...(inputRef === null ? [] : [inputRef]), ...fileRefs])
  return inputRef !== null && holdersOf(db, inputRef).length === 0 ? [inputRef] : []
}

function strayFolders({ now, identity }: LedgerContext, { id, lastAttemptAt }: JobRecord): string[] {
  const mayBeThere = lastAttemptAt !== null && now - lastAttemptAt < STRAYS_GONE_MS
  return mayBeThere ? [outputFolder(identity.tenantId, id)] : []
}

/** When a deletion of what attempts wrote is final: now, or once an attempt that began at `attemptAt` is over for certain. */
export function lastDeletionAt(attemptAt: number, now: number): number {
  const over = attemptAt + ATTEMPT_ENDS_MS
  return over <= now ? now : Math.ceil(over / GATHERED_MS) * GATHERED_MS
}

/** An output that came too late and is not the job's result is to go. `job` is null when it is no longer on record. */
export function dropLateOutput(
  { db, now }: LedgerContext,
  outcome: AttemptOutcome,
  job: JobRecord | null,
): void {
  const ref = outcome.kind === 'completed' ? outcome.outputRef : null
  if (ref !== null && ref !== job?.outputRef) doom(db, [ref], now)
}

const isExpiring = and(isNotNull(jobs.contentExpiresAt), isNull(jobs.contentDeletedAt))

/** Deletes content whose time is up, in steps; answers of how many jobs. */
export function sweepContent(ctx: LedgerContext): number {
  const due = ctx.db
    .select(jobColumns)
    .from(jobs)
    .where(and(isExpiring, lte(jobs.contentExpiresAt, ctx.now)))
    .orderBy(asc(jobs.contentExpiresAt))
    .limit(PAGE)
    .all()
  for (const job of due) deleteContent(ctx, job)
  return due.length
}

const earliestExpiry = statement((db) =>
  db
    .select({ at: min(jobs.contentExpiresAt) })
    .from(jobs)
    .where(isExpiring)
    .prepare(),
)

/** When content is next due to be deleted; null when none is on record. */
export const nextExpiry = (db: Db): number | null => earliestExpiry(db).get()?.at ?? null
