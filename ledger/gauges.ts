/**
 * How things stand now. What it costs: the open jobs are counted in memory; an index is read for those that run, and, only once a
 * deadline is over, for all that are open; and the chunks of open batches are looked at.
 */
import { and, count, eq, isNotNull, lte, sql } from 'drizzle-orm'
import { isBatchOver } from './batches/batch.ts'
import { figuresOf } from './batches/figures.ts'
import { workedBatches } from './batches/rows.ts'
import type { Gauges } from './figures.ts'
import type { OpenJobs } from './open-jobs.ts'
import { jobs } from './schema.ts'
import { arg, type Db, statement } from './store.ts'

const second = sql<number>`${jobs.createdAt} / 1000`
const selectRunning = statement((db) =>
  db
    .select({ second, n: count() })
    .from(jobs)
    .where(and(eq(jobs.status, 'running'), isNotNull(jobs.dueAt)))
    .groupBy(second)
    .prepare(),
)
const selectLate = statement((db) =>
  db
    .select({ n: count() })
    .from(jobs)
    .where(and(isNotNull(jobs.dueAt), lte(jobs.deadlineAt, arg('now'))))
    .prepare(),
)

/** `deadlineAt`: no open job has an earlier deadline; null when none is known of. */
export function gaugesOf(db: Db, open: OpenJobs, now: number, deadlineAt: number | null): Gauges {
  const madeAt = new Map(
    selectRunning(db)
      .all()
      .map(({ second: at, n }) => [at, n]),
  )
  const running = [...madeAt.values()].reduce((sum, n) => sum + n, 0)
  const batches = workedBatches(db).filter(({ status }) => !isBatchOver(status))
  const stalled = batches.filter((batch) => figuresOf({ db, now }, batch).statusReason === 'stalled')
  return {
    waiting: open.total - running,
    running,
    oldestWaitingAt: open.oldest(madeAt),
    oldestUnfinishedAt: open.oldest(),
    pastDeadline: deadlineAt !== null && deadlineAt <= now ? (selectLate(db).get({ now })?.n ?? 0) : 0,
    batchesOpen: batches.length,
    batchesStalled: stalled.length,
  }
}
