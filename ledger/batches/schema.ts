/** The tables of batches. */
import { sql } from 'drizzle-orm'
import { index, integer, primaryKey, sqliteTable, text } from 'drizzle-orm/sqlite-core'
import type { KindName } from '../../catalog/kind.ts'
import type { Confidentiality } from '../../catalog/models.ts'
import type { BatchStatus, ChunkState, ItemClass } from '../../openapi/batch-states.ts'
import type { FailureClass } from '../../openapi/job-words.ts'
import type { FailureCounts } from '../judge.ts'

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
