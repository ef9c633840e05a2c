/** How a ledger begins a new epoch, after it was put back to a point in time. */
import { and, eq, isNotNull, sql } from 'drizzle-orm'
import type { LedgerContext } from './context.ts'
import { isOut } from './job.ts'
import { jobColumns, updateJob } from './jobs.ts'
import { jobs } from './schema.ts'
import { loseLease } from './sweep.ts'
import { bookAttempt } from './usage.ts'

/** More attempts than a job can have had after the point. */
const ATTEMPTS_APART = 1000

/**
 * The first transaction of the epoch. What ran at the point has lost its lease, and its cost is booked as unknown. Unfinished jobs count
 * on from an attempt that nobody has had, as from claims that were given back: a message, a settlement or an output of an attempt that
 * is forgotten is none of theirs.
 */
export function beginEpoch(ctx: LedgerContext): void {
  const running = ctx.db
    .select(jobColumns)
    .from(jobs)
    .where(and(eq(jobs.status, 'running'), isNotNull(jobs.dueAt)))
    .all()
  for (const job of running) {
    const booked = isOut(job) ? bookAttempt(ctx, job, job.attempt, 'unknown') : {}
    if (Object.keys(booked).length > 0) updateJob(ctx.db, job.id, booked)
    loseLease(ctx, { ...job, ...booked })
  }
  const attempt = sql`${jobs.attempt} + ${ATTEMPTS_APART}`
  const released = sql`${jobs.released} + ${ATTEMPTS_APART}`
  ctx.db
    .update(jobs)
    .set({ attempt, released, releasedAttempt: attempt, version: sql`${jobs.version} + 1` })
    .where(isNotNull(jobs.dueAt))
    .run()
}
