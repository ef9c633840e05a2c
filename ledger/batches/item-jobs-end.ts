/** Items that run as jobs, seen from the other side: what their ends mean for their chunk, and how a chunk ends them. */
import { and, eq, isNotNull, isNull } from 'drizzle-orm'
import type { LedgerContext } from '../context.ts'
import { isOut } from '../job.ts'
import { jobColumns, moveJob } from '../jobs.ts'
import { jobs } from '../schema.ts'
import { bookAttempt } from '../usage.ts'
import type { ChunkRow } from './chunks.ts'
import type { Ended } from './statuses.ts'

type Of = Pick<ChunkRow, 'batchId' | 'chunk'>

const ofChunk = ({ batchId, chunk }: Of) => and(eq(jobs.batchId, batchId), eq(jobs.batchChunk, chunk))

/** Places of the items that have a job. */
export const placesWithJob = ({ db }: LedgerContext, of: Of): Set<number> =>
  new Set(
    db
      .select({ place: jobs.batchPosition })
      .from(jobs)
      .where(ofChunk(of))
      .all()
      .map(({ place }) => place ?? -1),
  )

/** Ends the chunk's open jobs. What is out costs its estimate, so that what is charged does not grow afterwards. */
export function stopItemJobs(ctx: LedgerContext, of: Of, how: Ended): void {
  const open = ctx.db
    .select(jobColumns)
    .from(jobs)
    .where(and(ofChunk(of), isNotNull(jobs.dueAt)))
    .all()
  for (const job of open) {
    const event =
      how === 'e'
        ? { type: 'abandon' as const, class: 'deadline_exceeded' as const }
        : { type: 'cancel' as const }
    const booked = isOut(job) ? bookAttempt(ctx, job, job.attempt, 'unknown') : {}
    moveJob(ctx, job, event, { ...booked, bookedAttempt: job.attempt, bookBy: null })
  }
}

/** The content of the chunk's jobs is not needed any more: it goes now. */
export function dropItemContent({ db, now }: LedgerContext, of: Of): void {
  db.update(jobs)
    .set({ contentExpiresAt: now })
    .where(and(ofChunk(of), isNull(jobs.contentDeletedAt)))
    .run()
}
