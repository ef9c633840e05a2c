/** The tables of events, of the endpoints that are told of them, and of the telling. */
import { sql } from 'drizzle-orm'
import { index, integer, primaryKey, sqliteTable, text } from 'drizzle-orm/sqlite-core'
import type { AnyEventType } from '../../openapi/alert-words.ts'
import type { DeliveryStatus, DisabledReason, Signing } from '../../openapi/webhooks.ts'
import type { Health } from './health.ts'

/** The feed: `sequence` is its order, assigned here and not by a clock. */
export const events = sqliteTable('events', {
  sequence: integer().primaryKey(),
  id: text().notNull(),
  type: text().$type<AnyEventType>().notNull(),
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
