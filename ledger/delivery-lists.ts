/** Reading deliveries: one, and lists in the order of their events, newest first, without an index of their own. */
import { and, asc, desc, eq, type SQL, sql } from 'drizzle-orm'
import type { AnyEventType } from '../openapi/alert-words.ts'
import type { DeliveryStatus } from '../openapi/webhooks.ts'
import { eventsBetween } from './event-range.ts'
import { sequenceOf } from './ids.ts'
import { type DeliveryAttempt, deliveries, events, webhookEndpoints } from './schema.ts'
import type { Db } from './store.ts'

/** A delivery as it leaves the ledger. */
export interface DeliverySnapshot {
  readonly id: string
  readonly eventId: string
  readonly eventType: AnyEventType
  readonly endpointId: string
  readonly status: DeliveryStatus
  readonly attempts: DeliveryAttempt[]
  readonly nextAttemptAt: number | null
}

export interface DeliveryFilter {
  readonly endpointId: string | null
  readonly status: DeliveryStatus | null
  readonly eventType: AnyEventType | null
  readonly eventId: string | null
}

/** A place in the list: the primary key. */
export interface DeliveryPosition {
  readonly eventSequence: number
  readonly endpointId: string
}

export interface DeliveryListing {
  readonly deliveries: DeliverySnapshot[]
  /** The last row examined, when there may be more behind it. */
  readonly nextAfter: DeliveryPosition | null
}

/** Rows that one page examines at most: a rare filter may give a short page with a cursor. */
const EXAMINED = 5000

const { eventSequence, endpointId } = deliveries

const shown = {
  eventSequence,
  endpointId,
  id: deliveries.id,
  status: deliveries.status,
  dueAt: deliveries.dueAt,
  attempts: deliveries.attempts,
  eventId: events.id,
  eventType: events.type,
  health: webhookEndpoints.health,
}

/** SQLite keeps to the order of a cross join: a page is a walk along the key of the deliveries, whatever the filter. */
const select = (db: Db, where: (SQL | undefined)[]) =>
  db
    .select(shown)
    .from(deliveries)
    .crossJoin(events)
    .leftJoin(webhookEndpoints, eq(webhookEndpoints.id, endpointId))
    .where(and(eq(events.sequence, eventSequence), ...where))

type Row = Awaited<ReturnType<typeof select>>[number]

function snapshot({ eventSequence: _, dueAt, health, ...row }: Row): DeliverySnapshot {
  const waits = row.status === 'pending' && dueAt !== null
  return { ...row, nextAttemptAt: waits ? Math.max(dueAt, health?.pausedUntil ?? 0) : null }
}

/** Its ID carries the number of its event, so it is found by the primary key. */
export function findDelivery(db: Db, id: string): DeliverySnapshot | undefined {
  const sequence = sequenceOf('dlv', id)
  if (sequence === null) return undefined
  const row = select(db, [eq(eventSequence, sequence), eq(deliveries.id, id)]).get()
  return row && snapshot(row)
}

/** From one moment to another, both included. */
export type Span = readonly [since: number, until: number]

/** What was told about a job or batch in these spans, in the order of the events: no index has them by what they are about. */
export const deliveriesAbout = (db: Db, subjectId: string, spans: readonly Span[]): DeliverySnapshot[] =>
  spans.flatMap(([since, until]) => {
    const { from, to } = eventsBetween(db, since, until)
    const range = sql`${eventSequence} >= ${from} and ${eventSequence} < ${to}`
    const found = select(db, [range, eq(events.subjectId, subjectId)])
    return found.orderBy(asc(eventSequence), asc(endpointId)).all().map(snapshot)
  })

/** In the order of events, newest first, those behind the position `after`. */
export function listDeliveries(
  db: Db,
  filter: DeliveryFilter,
  after: DeliveryPosition | null,
  limit: number,
): DeliveryListing {
  const end = isRare(filter) ? endOfWindow(db, after) : null
  const found = select(db, [behind(after), upTo(end), ...matching(filter)])
    .orderBy(desc(eventSequence), desc(endpointId))
    .limit(limit + 1)
    .all()
  const page = found.slice(0, limit)
  return { deliveries: page.map(snapshot), nextAfter: found.length > limit ? positionOf(page.at(-1)) : end }
}

const positionOf = (row: Row | undefined): DeliveryPosition | null =>
  row ? { eventSequence: row.eventSequence, endpointId: row.endpointId } : null

const key = sql`(${eventSequence}, ${endpointId})`
const behind = (at: DeliveryPosition | null) =>
  at ? sql`${key} < (${at.eventSequence}, ${at.endpointId})` : undefined
const upTo = (at: DeliveryPosition | null) =>
  at ? sql`${key} >= (${at.eventSequence}, ${at.endpointId})` : undefined

/** Whether rows may have to be passed over; the deliveries of one event are few. */
const isRare = ({ endpointId, status, eventType, eventId }: DeliveryFilter) =>
  eventId === null && (endpointId !== null || status !== null || eventType !== null)

const matching = (filter: DeliveryFilter): (SQL | undefined)[] => [
  filter.endpointId === null ? undefined : eq(endpointId, filter.endpointId),
  filter.status === null ? undefined : eq(deliveries.status, filter.status),
  filter.eventType === null ? undefined : eq(events.type, filter.eventType),
  ...ofEvent(filter.eventId),
]

/** No event has the number -1. */
const ofEvent = (id: string | null) =>
  id === null ? [] : [eq(eventSequence, sequenceOf('evt', id) ?? -1), eq(events.id, id)]

/** The last row that a full window examines; null when the window reaches the end. */
const endOfWindow = (db: Db, after: DeliveryPosition | null): DeliveryPosition | null =>
  db
    .select({ eventSequence, endpointId })
    .from(deliveries)
    .where(behind(after))
    .orderBy(desc(eventSequence), desc(endpointId))
    .limit(1)
    .offset(EXAMINED - 1)
    .get() ?? null
