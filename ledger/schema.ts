/**
 * The tables of one tenant's ledger (Durable Object SQLite). Times are milliseconds since the epoch, money is integer micro-USD.
 *
 * Rows written are the dearest thing here, so: text-keyed tables are WITHOUT ROWID (set by hand in the generated migration, since
 * drizzle-kit cannot say it; pages and chunks of batches aside, whose rows are few and large), an index exists only where work is
 * looked for by time, and is partial: settled rows leave it.
 */
import { sql } from 'drizzle-orm'
import { index, integer, primaryKey, sqliteTable, text, uniqueIndex } from 'drizzle-orm/sqlite-core'
import type { KindName } from '../catalog/kind.ts'
import type { Confidentiality } from '../catalog/models.ts'
import type { FailureClass, JobStatus, Priority } from '../openapi/job-words.ts'
import type { SomeCounts } from './counts.ts'
import type { FailureCounts } from './judge.ts'

/** The whole of the schema is named here: migrations are made from this file. */
export * from './alerts/schema.ts'
export * from './batches/schema.ts'
export * from './webhooks/schema.ts'

export const jobs = sqliteTable(
  'jobs',
  {
    id: text().primaryKey(),
    kind: text().$type<KindName>().notNull(),
    status: text().$type<JobStatus>().notNull(),
    /**
     * When an open job next needs attention. `accepted`: its rank in the order of release (time of acceptance, shifted by
     * priority); `retrying`: not before; `running`: when its lease ends. Null once terminal, which takes it out of the index.
     */
    dueAt: integer(),
    deadlineAt: integer().notNull(),
    createdAt: integer().notNull(),
    startedAt: integer(),
    lastAttemptAt: integer(),
    finishedAt: integer(),
    contentExpiresAt: integer(),
    contentDeletedAt: integer(),
    /** Claims so far, the fence of every settlement. Only grows. */
    attempt: integer().notNull().default(0),
    settledAttempt: integer().notNull().default(0),
    /** The usage of attempts up to this one is booked. */
    bookedAttempt: integer().notNull().default(0),
    /** Of a job that ended with an attempt still out: when the cost of that attempt counts as unknown. Null otherwise. */
    bookBy: integer(),
    lostLeases: integer().notNull().default(0),
    /** Claims that were given back because the provider's limits let no call through; the last of them. */
    released: integer().notNull().default(0),
    releasedAttempt: integer().notNull().default(0),
    /** Queue message that holds the current claim: a claim whose reply was lost gets the same lease again. */
    claimId: text(),
    failures: text({ mode: 'json' }).$type<FailureCounts>().notNull().default({}),
    /** Of the failures, those after which nobody knows what the provider did. */
    unknownOutcomes: integer().notNull().default(0),
    lastErrorClass: text().$type<FailureClass>(),
    errorClass: text().$type<FailureClass>(),
    model: text().notNull(),
    modelVersion: text().notNull(),
    provider: text().notNull(),
    providerRequestId: text(),
    priority: text().$type<Priority>().notNull(),
    confidentiality: text().$type<Confidentiality>().notNull(),
    processingVersion: text().notNull(),
    createdBy: text().notNull(),
    batchId: text(),
    /** Of a job that runs one item of a batch: the chunk it belongs to, and its place there. Null for every other job. */
    batchChunk: integer(),
    batchPosition: integer(),
    redriveOf: text(),
    retentionSeconds: integer().notNull(),
    /** Tokens that one attempt is expected to use, in and out. */
    expectedTokens: integer().notNull().default(0),
    /** What one attempt is expected to cost at most. */
    estimateMicroUsd: integer().notNull(),
    /** What is set aside for the next attempt, or the one that is out, of the budget of `reservedMonth` (`202611`); 0 for nothing. */
    reservedMicroUsd: integer().notNull().default(0),
    reservedMonth: integer(),
    inputTokens: integer(),
    outputTokens: integer(),
    costMicroUsd: integer(),
    /** Number of the job's last event. */
    sequence: integer().notNull().default(0),
    version: integer().notNull().default(1),
    metadata: text({ mode: 'json' }).$type<Record<string, string>>().notNull(),
    params: text(),
    /** W3C Trace Context of the request that made the job. */
    traceparent: text(),
    /** IDs of the files that the input refers to. */
    fileIds: text({ mode: 'json' }).$type<string[]>().notNull().default([]),
    /** Content of up to 32 KiB lies here, larger content in R2 under the ref. Last, so that reading the rest skips it. */
    inputRef: text(),
    outputRef: text(),
    output: text(),
    input: text(),
  },
  (job) => [
    /** The last four are there so that open jobs are counted without a look at their rows. */
    index('jobs_open')
      .on(job.status, job.dueAt, job.deadlineAt, job.kind, job.model, job.createdAt, job.batchChunk)
      .where(sql`${job.dueAt} is not null`),
    index('jobs_expiring')
      .on(job.contentExpiresAt)
      .where(sql`${job.contentExpiresAt} is not null and ${job.contentDeletedAt} is null`),
    index('jobs_unbooked').on(job.bookBy).where(sql`${job.bookBy} is not null`),
    /** A failed job is redriven once: whoever asks again gets the same new job, however late. */
    uniqueIndex('jobs_redriven').on(job.redriveOf).where(sql`${job.redriveOf} is not null`),
    index('jobs_reserving')
      .on(job.reservedMonth, job.reservedMicroUsd)
      .where(sql`${job.reservedMicroUsd} > 0`),
    index('jobs_of_batches')
      .on(job.batchId, job.batchChunk, job.batchPosition)
      .where(sql`${job.batchId} is not null`),
  ],
)

export const idempotencyKeys = sqliteTable('idempotency_keys', {
  /** SHA-256 of client, method, path and key. */
  keyHash: text().primaryKey(),
  fingerprint: text().notNull(),
  resourceId: text().notNull(),
  /** The first answer's body, where it cannot be derived from the resource. */
  response: text(),
  createdAt: integer().notNull(),
})

/** Uploaded files. The bytes lie in R2 under `ref`. */
export const files = sqliteTable(
  'files',
  {
    id: text().primaryKey(),
    ref: text().notNull(),
    contentType: text().notNull(),
    bytes: integer().notNull(),
    /** Hex. */
    sha256: text().notNull(),
    createdBy: text().notNull(),
    createdAt: integer().notNull(),
    expiresAt: integer().notNull(),
    /** Set when its owner deleted it: it is not there any more, though its bytes stay while an unfinished job needs them. */
    deletedAt: integer(),
    /** When it is next to be looked at for deletion: its expiry, or later while something needs it. */
    dueAt: integer().notNull(),
  },
  (file) => [index('files_due').on(file.dueAt)],
)

/** What in R2 a job's content needs: large input, files. The bytes may go when no row names them. */
export const contentRefs = sqliteTable(
  'content_refs',
  { ref: text().notNull(), jobId: text().notNull() },
  (row) => [primaryKey({ columns: [row.ref, row.jobId] })],
)

/** Objects in R2 that are to be deleted, until they are. */
export const doomedContent = sqliteTable('doomed_content', {
  ref: text().primaryKey(),
  since: integer().notNull(),
})

/** What was booked against the budget of a month (`202611`). */
export const spend = sqliteTable('spend', {
  month: integer().primaryKey(),
  microUsd: integer().notNull(),
})

/** Usage by day (UTC, `20261130`), kind and model; outlives the jobs' rows. */
export const usageDays = sqliteTable(
  'usage_days',
  {
    day: integer().notNull(),
    kind: text().$type<KindName>().notNull(),
    model: text().notNull(),
    jobs: integer().notNull(),
    /** Of batches. */
    items: integer().notNull().default(0),
    succeeded: integer().notNull(),
    failed: integer().notNull(),
    inputTokens: integer().notNull(),
    outputTokens: integer().notNull(),
    costMicroUsd: integer().notNull(),
    /** Grows with each transaction that adds to the row. */
    changes: integer().notNull(),
    counts: text({ mode: 'json' }).$type<SomeCounts>().notNull(),
  },
  (row) => [primaryKey({ columns: [row.day, row.kind, row.model] })],
)

/** Dead letters on their way to the directory: written with the settlement, deleted once the directory has them. */
export const deadLetterOutbox = sqliteTable('dead_letter_outbox', {
  jobId: text().primaryKey(),
  record: text().notNull(),
})

/** Single values: identity, plan, rate windows. */
export const meta = sqliteTable('meta', {
  name: text().primaryKey(),
  value: text().notNull(),
})
