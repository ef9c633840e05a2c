/**
 * Replaying: what an endpoint was told in a range of time, or would have been told, becomes due for it once more. The events keep
 * their IDs and bytes; one that has no delivery there gets one.
 */
import { and, asc, eq, gt, gte, inArray, isNull, lt, ne, or } from 'drizzle-orm'
import type { LedgerContext } from './context.ts'
import { makeDue } from './due-again.ts'
import { noSuchEndpoint } from './endpoints.ts'
import { type EventRange, eventsBetween } from './event-range.ts'
import { typesWithin } from './event-types.ts'
import { EVENTS_KEPT_MS } from './housekeeping.ts'
import { type Answered, type Call, once } from './idempotency.ts'
import { done, type Outcome, refused } from './replies.ts'
import { deliveries, events } from './schema.ts'
import { type Subscription, subscription } from './subscriptions.ts'

const MAX_DELIVERIES = 10_000
/** They are looked at in one go, while nothing else of the tenant moves: about a second for as many. */
const MAX_EXAMINED = 1_000_000
/** Whoever asks for the last 30 days means what is there, not what fell out while the request was on its way. */
const GRACE_MS = 60_000

export interface ReplayOrder {
  readonly endpointId: string
  /** Milliseconds since the epoch, both included; `until` null for now. */
  readonly since: number
  readonly until: number | null
  /** Names and patterns that narrow what the endpoint is subscribed to; null for all of it. */
  readonly eventTypes: readonly string[] | null
  /** Only deliveries that failed, have failed so far, or are held. */
  readonly onlyFailed: boolean
}

export interface Replayed {
  /** How many became due that were not before. */
  readonly deliveries: number
}

export const replayEvents = (
  ctx: LedgerContext,
  call: Call,
  order: ReplayOrder,
): Outcome<Answered<Replayed>> => once(ctx, call, () => replay(ctx, order))

function replay(ctx: LedgerContext, order: ReplayOrder): Outcome<Replayed> {
  const endpoint = subscription(ctx.db, order.endpointId)
  if (!endpoint) return noSuchEndpoint
  const chosen = choose(ctx, endpoint, order)
  if (!chosen.ok) return chosen
  makeDue(ctx, endpoint, chosen.value)
  return done({ deliveries: chosen.value.length })
}

/** The numbers of the events that are to be told. */
function choose(ctx: LedgerContext, endpoint: Subscription, order: ReplayOrder): Outcome<number[]> {
  const fault = faultOf(order, ctx.now)
  if (fault) return fault
  const range = eventsBetween(ctx.db, order.since, order.until ?? ctx.now)
  if (range.to - range.from > MAX_EXAMINED) return tooWide
  const chosen = select(ctx, endpoint, order, range)
  return chosen.length > MAX_DELIVERIES ? tooMany : done(chosen)
}

const outOfRange = (pointer: string, detail: string) =>
  refused('invalid-request', 'The range cannot be replayed.', { errors: [{ pointer, detail }] })

const tooWide = outOfRange(
  '/since',
  `The range holds more than ${MAX_EXAMINED} events: ask for a shorter one.`,
)
const tooMany = outOfRange(
  '/since',
  `These are more than ${MAX_DELIVERIES} deliveries at once: ask for a shorter range, for fewer event_types, or for only_failed.`,
)

function faultOf({ since, until }: ReplayOrder, now: number) {
  if (since > now) return outOfRange('/since', 'Lies in the future.')
  if (since < now - EVENTS_KEPT_MS - GRACE_MS)
    return outOfRange('/since', 'Events are kept for 30 days; there are none of this time.')
  if (until !== null && until < since) return outOfRange('/until', 'Must not be before since.')
  return null
}

/** What is due, or out, already is left alone; an endpoint is never told about itself. */
function select(
  { db, now }: LedgerContext,
  { id, eventTypes }: Subscription,
  order: ReplayOrder,
  { from, to }: EventRange,
): number[] {
  const types = typesWithin(eventTypes, order.eventTypes ?? ['*'])
  const { status, dueAt, tries } = deliveries
  const waits = and(eq(status, 'pending'), gt(dueAt, now))
  return db
    .select({ sequence: events.sequence })
    .from(events)
    .leftJoin(deliveries, and(eq(deliveries.eventSequence, events.sequence), eq(deliveries.endpointId, id)))
    .where(
      and(
        gte(events.sequence, from),
        lt(events.sequence, to),
        inArray(events.type, types),
        ne(events.subjectId, id),
        order.onlyFailed
          ? or(inArray(status, ['failed', 'held']), and(waits, gt(tries, 0)))
          : or(isNull(status), ne(status, 'pending'), waits),
      ),
    )
    .orderBy(asc(events.sequence))
    .limit(MAX_DELIVERIES + 1)
    .all()
    .map(({ sequence }) => sequence)
}
