/**
 * The tables of one tenant's ledger (Durable Object SQLite). Times are milliseconds since the epoch, money is integer micro-USD.
 *
 * Rows written are the dearest thing here, so: text-keyed tables are WITHOUT ROWID (set by hand in the generated migration, since
 * drizzle-kit cannot say it), an index exists only where work is looked for by time, and is partial: settled rows leave it.
 */
import { sql } from 'drizzle-orm'
import { index, integer, primaryKey, sqliteTable, text } from 'drizzle-orm/sqlite-core'
import type { KindName } from '../catalog/kind.ts'
import type { Confidentiality } from '../catalog/models.ts'
import type { FailureClass, JobStatus, Priority } from '../openapi/jobs.ts'
import type { EventType } from '../openapi/webhooks.ts'
import type { FailureCounts } from './judge.ts'

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
    attempt: integer().notNull().default(0),
    settledAttempt: integer().notNull().default(0),
    /** Bit n is set when the usage of attempt n is booked. */
    bookedAttempts: integer().notNull().default(0),
    lostLeases: integer().notNull().default(0),
    /** Queue message that holds the current claim: a claim whose reply was lost gets the same lease again. */
    claimId: text(),
    failures: text({ mode: 'json' }).$type<FailureCounts>().notNull().default({}),
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
    redriveOf: text(),
    retentionSeconds: integer().notNull(),
    estimateMicroUsd: integer().notNull(),
    inputTokens: integer(),
    outputTokens: integer(),
    costMicroUsd: integer(),
    /** Number of the job's last event. */
    sequence: integer().notNull().default(0),
    version: integer().notNull().default(1),
    metadata: text({ mode: 'json' }).$type<Record<string, string>>().notNull(),
    params: text(),
    /** Content of up to 32 KiB lies here, larger content in R2 under the ref. Last, so that reading the rest skips it. */
    inputRef: text(),
    outputRef: text(),
    output: text(),
    input: text(),
  },
  (job) => [
    index('jobs_open').on(job.status, job.dueAt, job.deadlineAt).where(sql`${job.dueAt} is not null`),
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
  readonly status_code: number | null
  readonly latency_ms: number
  readonly error: string | null
  readonly response_excerpt: string | null
}

export const deliveryStatuses = ['pending', 'delivered', 'failed', 'held', 'cancelled'] as const

export const deliveries = sqliteTable(
  'deliveries',
  {
    eventSequence: integer().notNull(),
    endpointId: text().notNull(),
    id: text().notNull(),
    status: text().$type<(typeof deliveryStatuses)[number]>().notNull(),
    /** When it may be attempted, or, while an attempt is out, when that counts as lost. Null once it is over or held. */
    dueAt: integer(),
    attempts: text({ mode: 'json' }).$type<DeliveryAttempt[]>().notNull(),
  },
  (delivery) => [
    primaryKey({ columns: [delivery.eventSequence, delivery.endpointId] }),
    index('deliveries_due').on(delivery.endpointId, delivery.dueAt).where(sql`${delivery.dueAt} is not null`),
  ],
)

export const webhookEndpoints = sqliteTable('webhook_endpoints', {
  id: text().primaryKey(),
  url: text().notNull(),
  eventTypes: text({ mode: 'json' }).$type<string[]>().notNull(),
  description: text(),
  status: text().$type<'enabled' | 'disabled'>().notNull(),
  disabledReason: text(),
  /** Encrypted under a key that the ledger does not have. */
  sealedSecret: text().notNull(),
  metadata: text({ mode: 'json' }).$type<Record<string, string>>().notNull(),
  createdAt: integer().notNull(),
})

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
