/** Reading jobs: one, its result, lists. */
import { and, desc, eq, getTableColumns, gte, lt, type SQL, sql } from 'drizzle-orm'
import type { KindName } from '../catalog/kind.ts'
import type { JobStatus } from '../openapi/job-words.ts'
import { idFloor } from './ids.ts'
import { type Hindered, type JobSnapshot, snapshot } from './job-snapshots.ts'
import { findJob, type JobRecord, jobColumns } from './jobs.ts'
import { done, type Outcome, refused } from './replies.ts'
import { jobs } from './schema.ts'
import type { Db } from './store.ts'

export interface JobFilter {
  readonly status: JobStatus | null
  readonly kind: KindName | null
  readonly batchId: string | null
  readonly createdAfter: number | null
  readonly createdBefore: number | null
  readonly metadata: { key: string; value: string } | null
}

export interface JobListing {
  readonly jobs: JobRecord[]
  /** The last ID examined, when there may be more behind it. */
  readonly nextAfter: string | null
}

/** Rows that one page examines at most: a rare filter may give a short page with a cursor. */
const EXAMINED = 5000

export function readJob(db: Db, id: string, hindered: Hindered): Outcome<JobSnapshot> {
  const job = findJob(db, id)
  return job ? done(snapshot(job, hindered)) : refused('not-found', 'There is no such job.')
}

/** Newest first, jobs older than the one named `after`. */
export function listJobs(db: Db, filter: JobFilter, after: string | null, limit: number): JobListing {
  const window = db
    .select(jobColumns)
    .from(jobs)
    .where(and(after ? lt(jobs.id, after) : undefined, ...createdBetween(filter)))
    .orderBy(desc(jobs.id))
    .limit(EXAMINED)
    .as('examined')
  const found = db
    .select()
    .from(window)
    .where(and(...matching(filter)))
    .orderBy(desc(sql`id`))
    .limit(limit + 1)
    .all() as JobRecord[]
  const page = found.slice(0, limit)
  if (found.length > limit) return { jobs: page, nextAfter: page.at(-1)?.id ?? null }
  return { jobs: page, nextAfter: endOfWindow(db, filter, after) }
}

/** IDs sort by creation, so a range of time is a range of the primary key. */
const createdBetween = ({ createdAfter, createdBefore }: JobFilter): SQL[] => [
  ...(createdAfter === null ? [] : [gte(jobs.id, idFloor('job', createdAfter + 1))]),
  ...(createdBefore === null ? [] : [lt(jobs.id, idFloor('job', createdBefore))]),
]

/** Jobs that run items of batches are shown only to whoever asks for the batch's. */
const matching = ({ status, kind, batchId, metadata }: JobFilter): (SQL | undefined)[] => [
  status ? sql`status = ${status}` : undefined,
  kind ? sql`kind = ${kind}` : undefined,
  batchId ? sql`batch_id = ${batchId}` : sql`batch_chunk is null`,
  metadata
    ? sql`exists (select 1 from json_each(metadata) pair where pair.key = ${metadata.key} and pair.value = ${metadata.value})`
    : undefined,
]

/** The ID of the last row that a full window examined; null when the window reached the end. */
const endOfWindow = (db: Db, filter: JobFilter, after: string | null) =>
  db
    .select({ id: jobs.id })
    .from(jobs)
    .where(and(after ? lt(jobs.id, after) : undefined, ...createdBetween(filter)))
    .orderBy(desc(jobs.id))
    .limit(1)
    .offset(EXAMINED - 1)
    .get()?.id ?? null

export interface StoredResult {
  readonly job: JobRecord
  /** JSON text, or null when it lies in R2 under the job's `outputRef`. */
  readonly output: string | null
}

/** Past its date a result is gone, even before it has been cleared away. */
export function readResult(db: Db, id: string, now: number): Outcome<StoredResult> {
  const row = db.select(getTableColumns(jobs)).from(jobs).where(eq(jobs.id, id)).get()
  if (!row) return refused('not-found', 'There is no such job.')
  const { input: _, output, ...job } = row
  if (job.contentDeletedAt !== null || (job.contentExpiresAt !== null && job.contentExpiresAt <= now))
    return refused('content-deleted', 'The result of this job has been deleted.')
  if (job.status !== 'succeeded')
    return refused('result-not-available', `The job has no result; its status is ${job.status}.`)
  return done({ job, output })
}
