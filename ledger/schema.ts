/**
 * The tables of one tenant's ledger (Durable Object SQLite). Times are milliseconds since the epoch, money is integer micro-USD.
 *
 * Rows written are the dearest thing here, so: text-keyed tables are WITHOUT ROWID (set by hand in the generated migration, since
 * drizzle-kit cannot say it; pages and chunks of batches aside, whose rows are few and large), an index exists only where work is looked for by time, and is partial: settled rows leave it.
 */
import { sql } from 'drizzle-orm'
import { index, integer, primaryKey, sqliteTable, text, uniqueIndex } from 'drizzle-orm/sqlite-core'
import type { KindName } from '../catalog/kind.ts'
import type { Confidentiality } from '../catalog/models.ts'
import type { BatchStatus, ChunkState, ItemClass } from '../openapi/batch-states.ts'
import type { FailureClass, JobStatus, Priority } from '../openapi/jobs.ts'
import type { DeliveryStatus, DisabledReason, EventType, Signing } from '../openapi/webhooks.ts'
import type { FailureCounts } from './judge.ts'
import type { Health } from './webhooks/health.ts'

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
    index('jobs_open').on(job.status, job.dueAt, job.deadlineAt).where(sql`${job.dueAt} is not null`),
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

/** The feed: `sequence` is its order, assigned here and not by a clock. */
export const events = sqliteTable('events', {
  sequence: integer().primaryKey(),
  id: text().notNull(),
  type: text().$type<EventType>().notNull(),
  subjectId: text().notNull(),
  createdAt: integer().notNull(),
  /** The exact bytes that every attempt at delivery signs and sends. */
  body: text().notNull(),
})

export interface DeliveryAttempt {
  readonly at: number
  /** Null when no status came. */
  readonly status_code: number | null
  readonly latency_ms: number
  /** What went wrong, in one word of ours; null for a success, and for nothing else. */
  readonly error: string | null
  readonly response_excerpt: string | null
  /** There was more than the excerpt shows. */
  readonly response_truncated: boolean
}

export const deliveries = sqliteTable(
  'deliveries',
  {
    eventSequence: integer().notNull(),
    endpointId: text().notNull(),
    id: text().notNull(),
    status: text().$type<DeliveryStatus>().notNull(),
    /** When it may be attempted; which are being attempted right now is in memory. Null once it is over or held. */
    dueAt: integer(),
    /** Attempts of the present round, which is what the schedule counts: a retry or a replay by hand begins another. */
    tries: integer().notNull().default(0),
    /** What the event is about, where the endpoint wants that in order; null elsewhere, which keeps it out of the index. */
    orderedSubject: text(),
    attempts: text({ mode: 'json' }).$type<DeliveryAttempt[]>().notNull(),
  },
  (delivery) => [
    primaryKey({ columns: [delivery.eventSequence, delivery.endpointId] }),
    index('deliveries_due').on(delivery.endpointId, delivery.dueAt).where(sql`${delivery.dueAt} is not null`),
    index('deliveries_in_order')
      .on(delivery.endpointId, delivery.orderedSubject, delivery.eventSequence)
      .where(sql`${delivery.dueAt} is not null and ${delivery.orderedSubject} is not null`),
    index('deliveries_held')
      .on(delivery.endpointId, delivery.eventSequence)
      .where(sql`${delivery.status} = 'held'`),
  ],
)

/** A secret and a seed that sign together. Sealed by the gateway for the endpoint's ID. */
export interface SigningKey {
  readonly id: string
  /** `whsec_…`, sealed. */
  readonly sealedSecret: string
  /** The 32 bytes of an Ed25519 seed as `whsk_…`, sealed. */
  readonly sealedSeed: string
  /** `whpk_…`. */
  readonly publicKey: string
  readonly createdAt: number
  /** Null for the present key; of one that was rotated, when it stops to sign. */
  readonly expiresAt: number | null
}

export const webhookEndpoints = sqliteTable('webhook_endpoints', {
  id: text().primaryKey(),
  url: text().notNull(),
  eventTypes: text({ mode: 'json' }).$type<string[]>().notNull(),
  description: text(),
  status: text().$type<'enabled' | 'disabled'>().notNull(),
  disabledReason: text().$type<DisabledReason>(),
  signing: text().$type<Signing>().notNull(),
  /** The present one first, then those that a rotation left valid for a while. */
  keys: text({ mode: 'json' }).$type<SigningKey[]>().notNull(),
  /** Whether the events of one job are to arrive strictly one after the other. */
  ordered: integer({ mode: 'boolean' }).notNull(),
  maxPerSecond: integer(),
  /** Of the endpoint's own headers; the values are in `sealedHeaders`, a sealed JSON object, null for none. */
  headerNames: text({ mode: 'json' }).$type<string[]>().notNull(),
  sealedHeaders: text(),
  health: text({ mode: 'json' }).$type<Health>().notNull(),
  /** Number of the last event about the endpoint itself. */
  sequence: integer().notNull().default(0),
  metadata: text({ mode: 'json' }).$type<Record<string, string>>().notNull(),
  createdAt: integer().notNull(),
})

/** Batches. What their items are is in the pages, how they fare in the chunks: counts are sums over these, and kept nowhere else. */
export const batches = sqliteTable(
  'batches',
  {
    id: text().primaryKey(),
    kind: text().$type<KindName>().notNull(),
    status: text().$type<BatchStatus>().notNull(),
    /** The plan is made and stored: every item is in a page and in a chunk. */
    planned: integer({ mode: 'boolean' }).notNull(),
    /**
     * When a batch that is still worked for needs attention: its Workflow should have shown itself by then, or it is dead. Null once
     * the batch has ended and nothing is left to gather or to call off, which takes it out of the index.
     */
    dueAt: integer(),
    deadlineAt: integer().notNull(),
    /** Number of the Workflow instance that may act for the batch: what an older one says is refused. 0 before the first. */
    instance: integer().notNull().default(0),
    /** When the Workflow last showed itself. */
    progressAt: integer(),
    createdAt: integer().notNull(),
    startedAt: integer(),
    finishedAt: integer(),
    /** When the last of its content goes; each chunk has a date of its own. */
    contentExpiresAt: integer(),
    contentDeletedAt: integer(),
    model: text().notNull(),
    modelVersion: text().notNull(),
    provider: text().notNull(),
    processingVersion: text().notNull(),
    confidentiality: text().$type<Confidentiality>().notNull(),
    retentionSeconds: integer().notNull(),
    createdBy: text().notNull(),
    parentBatchId: text(),
    /** NDJSON in R2, a line for each item: what came inline, or the file; of a rerun, another batch's until it has copied its lines. */
    sourceRef: text().notNull(),
    itemsFileId: text(),
    /** Of a rerun: the lines of the source that it takes, as a JSON array of `[first, count]`; null for all, as of one of its own. */
    lines: text({ mode: 'json' }).$type<Run[]>(),
    onInvalid: text().$type<'fail' | 'skip'>().notNull(),
    onDeadline: text().$type<'expire' | 'run_individually'>().notNull(),
    onDuplicate: text().$type<'refuse' | 'run'>().notNull(),
    maxCostMicroUsd: integer(),
    /** Items that run; 0 until the plan is made. */
    items: integer().notNull().default(0),
    /** Lines that are no items, and are in the report instead. */
    invalidItems: integer().notNull().default(0),
    /** Items that were open in another batch, which this one failed of. */
    duplicateItems: integer().notNull().default(0),
    /** What its estimate was above, which it failed of; null where it was not. */
    unaffordable: text().$type<Unaffordable>(),
    /** Number of the batch's last event. */
    sequence: integer().notNull().default(0),
    version: integer().notNull().default(1),
    metadata: text({ mode: 'json' }).$type<Record<string, string>>().notNull(),
    params: text(),
    traceparent: text(),
  },
  (batch) => [
    index('batches_open').on(batch.dueAt).where(sql`${batch.dueAt} is not null`),
    index('batches_expiring')
      .on(batch.contentExpiresAt)
      .where(sql`${batch.contentExpiresAt} is not null and ${batch.contentDeletedAt} is null`),
  ],
)

export type Unaffordable = 'max_cost' | 'budget'

/** Consecutive numbers: the first, and how many. */
export type Run = readonly [first: number, count: number]

/** What keeps a line of the source, or the whole, from running. Words of ours, and the reference where it has the form of one. */
export interface LineError {
  readonly line: number
  readonly external_reference: string | null
  readonly class: ItemClass
  readonly detail: string
}

/** One check of the verification. */
export interface ReportCheck {
  readonly name: string
  readonly passed: boolean
  readonly detail: string | null
}

/** An item of the manifest, as a page holds it. */
export interface ManifestItem {
  /** Line of the source, from 1. */
  readonly line: number
  readonly reference: string
  /** 32 hex characters. */
  readonly key: string
  /** Of the canonical JSON (RFC 8785) of its input; 64 hex characters. */
  readonly inputSha256: string
  readonly chunk: number
  /** Where its line lies in the source, in bytes. */
  readonly at: number
  readonly bytes: number
}

/** The manifest: a page holds the items `page * PAGE_ITEMS` and following, in input order. A row for hundreds of items. */
export const batchPages = sqliteTable(
  'batch_pages',
  {
    batchId: text().notNull(),
    page: integer().notNull(),
    items: text({ mode: 'json' }).$type<ManifestItem[]>().notNull(),
  },
  (row) => [primaryKey({ columns: [row.batchId, row.page] })],
)

/** What a report says of lines, page by page: it is read for the report alone, so the row of the batch stays small. */
export const batchFaults = sqliteTable(
  'batch_faults',
  {
    batchId: text().notNull(),
    page: integer().notNull(),
    faults: text({ mode: 'json' }).$type<LineError[]>().notNull(),
  },
  (row) => [primaryKey({ columns: [row.batchId, row.page] })],
)

/**
 * Chunks: what is sent, answered and run again in one piece. A chunk runs as a batch at the provider, or, item by item, as jobs.
 * The state of its items is one character for each, in input order: `p` pending, `s` succeeded, `f` failed, `c` cancelled,
 * `e` expired.
 */
export const batchChunks = sqliteTable(
  'batch_chunks',
  {
    batchId: text().notNull(),
    chunk: integer().notNull(),
    state: text().$type<ChunkState>().notNull(),
    path: text().$type<'batch' | 'jobs'>().notNull(),
    /** Grows when the chunk's items change their path: an answer for an earlier one only costs. */
    epoch: integer().notNull().default(0),
    /** Submissions so far, in all epochs: the fence of their outcomes, and part of the key that the provider gets. */
    tries: integer().notNull().default(0),
    /** The cost of submissions up to this one is booked. */
    bookedTries: integer().notNull().default(0),
    /** How often its Workflow is still to be told to call the chunk off at the provider. */
    callOffs: integer().notNull().default(0),
    /** Open chunks only: when it is next to be submitted or polled. */
    dueAt: integer(),
    items: integer().notNull(),
    bytes: integer().notNull(),
    /** Indexes of its items. */
    runs: text({ mode: 'json' }).$type<Run[]>().notNull(),
    confidentiality: text().$type<Confidentiality>().notNull(),
    retentionSeconds: integer().notNull(),
    /** When its content goes; known once the batch has ended. */
    deleteAfter: integer(),
    contentDeletedAt: integer(),
    succeeded: integer().notNull().default(0),
    failed: integer().notNull().default(0),
    cancelled: integer().notNull().default(0),
    expired: integer().notNull().default(0),
    inputTokens: integer().notNull().default(0),
    outputTokens: integer().notNull().default(0),
    costMicroUsd: integer().notNull().default(0),
    expectedTokens: integer().notNull(),
    estimateMicroUsd: integer().notNull(),
    /** Of the budget of `reservedMonth`, as with jobs. */
    reservedMicroUsd: integer().notNull().default(0),
    reservedMonth: integer(),
    providerRequestId: text(),
    /** Intent: set before a submission, and not cleared by it. */
    intentAt: integer(),
    submittedAt: integer(),
    /** When the provider's answer, or the last job's, was taken over. */
    collectedAt: integer(),
    polls: integer().notNull().default(0),
    /** From when on waiting for its provider, or for a decision about it, counts as stalled. */
    stalledAt: integer(),
    failures: text({ mode: 'json' }).$type<FailureCounts>().notNull().default({}),
    lastErrorClass: text().$type<FailureClass>(),
    modelVersion: text(),
    outputRef: text(),
    /** What the verification of its answer found. */
    findings: text({ mode: 'json' }).$type<Findings>(),
    statuses: text().notNull(),
    /** Classes of items that failed, by place in the chunk. */
    errors: text({ mode: 'json' }).$type<Record<number, ItemClass>>().notNull().default({}),
    /** Tokens in and out of each item by place; null where the provider counts none. */
    usages: text({ mode: 'json' }).$type<(readonly [number, number] | null)[]>(),
  },
  (row) => [
    primaryKey({ columns: [row.batchId, row.chunk] }),
    index('batch_chunks_expiring')
      .on(row.deleteAfter)
      .where(sql`${row.deleteAfter} is not null and ${row.contentDeletedAt} is null`),
    index('batch_chunks_reserving')
      .on(row.reservedMonth, row.reservedMicroUsd)
      .where(sql`${row.reservedMicroUsd} > 0`),
  ],
)

/** What was wrong with a chunk's answer. References are ours or the customer's, never a provider's text. */
export interface Findings {
  /** Results whose reference is no item's of the chunk. */
  readonly unknown: number
  readonly missing: readonly string[]
  readonly duplicate: readonly string[]
  readonly empty: readonly string[]
  /** Outputs that broke the kind's contract. */
  readonly invalid: readonly string[]
  /** Summaries with numbers or names that their input does not hold. */
  readonly unfounded: readonly string[]
}

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
