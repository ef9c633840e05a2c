/** What time does to jobs: leases that ran out, deadlines that passed. SQL only; bounded per call. */
import { and, asc, eq, gt, isNotNull, lte, min } from 'drizzle-orm'
import type { LedgerContext } from './context.ts'
import { MAX_LOST_LEASES } from './failure.ts'
import { type JobRecord, jobColumns, moveJob, updateJob } from './jobs.ts'
import { jobs } from './schema.ts'
import { deadLetterIfOurs } from './settle.ts'
import { arg, type Db, statement } from './store.ts'
import { bookAttempt } from './usage.ts'

const PAGE = 200

/** Takes leases that ran out away from their holders; answers how many. */
export function sweepLeases(ctx: LedgerContext): number {
  const lost = ctx.db
    .select(jobColumns)
    .from(jobs)
    .where(and(eq(jobs.status, 'running'), isNotNull(jobs.dueAt), lte(jobs.dueAt, ctx.now)))
    .orderBy(asc(jobs.dueAt))
    .limit(PAGE)
    .all()
  for (const job of lost) loseLease(ctx, job)
  return lost.length
}

/** The attempt that is out is not waited for any longer. */
export function loseLease(ctx: LedgerContext, job: JobRecord): void {
  const givesUp = job.lostLeases + 1 >= MAX_LOST_LEASES
  const moved = moveJob(ctx, job, givesUp ? { type: 'abandon', class: 'internal' } : { type: 'lose' })
  if (moved?.status === 'failed') deadLetterIfOurs(ctx, moved)
}

/** Fails open jobs whose deadline has passed, wherever they stand; answers how many. */
export function sweepDeadlines(ctx: LedgerContext): number {
  const late = ctx.db
    .select(jobColumns)
    .from(jobs)
    .where(and(isNotNull(jobs.dueAt), lte(jobs.deadlineAt, ctx.now)))
    .limit(PAGE)
    .all()
  for (const job of late) {
    const moved = moveJob(ctx, job, { type: 'abandon', class: 'deadline_exceeded' })
    if (moved) deadLetterIfOurs(ctx, moved)
  }
  return late.length
}

/** Books attempts of ended jobs that were never heard of again: at their estimate, since they may have cost that. */
export function sweepUnbooked(ctx: LedgerContext): number {
  const silent = ctx.db
    .select(jobColumns)
    .from(jobs)
    .where(and(isNotNull(jobs.bookBy), lte(jobs.bookBy, ctx.now)))
    .limit(PAGE)
    .all()
  for (const job of silent) {
    const booked = bookAttempt(ctx, job, job.attempt, 'unknown')
    updateJob(ctx.db, job.id, { bookBy: null, ...booked, version: job.version + 1 })
  }
  return silent.length
}

const earliest = statement((db) =>
  db
    .select({ at: min(jobs.dueAt) })
    .from(jobs)
    .where(and(eq(jobs.status, arg('status')), isNotNull(jobs.dueAt), gt(jobs.dueAt, arg('after'))))
    .prepare(),
)

const earliestUnbooked = statement((db) =>
  db
    .select({ at: min(jobs.bookBy) })
    .from(jobs)
    .where(isNotNull(jobs.bookBy))
    .prepare(),
)
export const nextUnbooked = (db: Db) => earliestUnbooked(db).get()?.at ?? null

export const nextLeaseEnd = (db: Db) => earliest(db).get({ status: 'running', after: 0 })?.at ?? null
/** Retries that are due already wait for a limit, not for a time. */
export const nextRetry = (db: Db, now: number) =>
  earliest(db).get({ status: 'retrying', after: now })?.at ?? null

/** Walks the whole index of open jobs, so ask for it rarely. */
export const nextDeadline = (db: Db) =>
  db
    .select({ at: min(jobs.deadlineAt) })
    .from(jobs)
    .where(isNotNull(jobs.dueAt))
    .get()?.at ?? null
