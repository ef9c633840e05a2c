/** Deliveries: claimed by the callback Worker for one endpoint, attempted there, recorded and scheduled here. */
import { and, asc, eq, isNotNull, lte, min, sql } from 'drizzle-orm'
import type { LedgerContext } from './context.ts'
import type { DeliveryLeases } from './delivery-leases.ts'
import { disableEndpoint } from './endpoint-status.ts'
import { findEndpoint, recipientOf } from './endpoints.ts'
import { deliveries, events, jobs } from './schema.ts'
import { arg, type Db, statement } from './store.ts'
import { subscriptions } from './subscriptions.ts'
import type { Telling } from './webhooks/deliver.ts'
import type { Exchanged } from './webhooks/exchange.ts'
import type { SealedRecipient } from './webhooks/recipient.ts'
import { nextDeliveryDelay } from './webhooks/schedule.ts'

/** An attempt that has not been recorded after this long counts as lost; the exchange itself ends after 15 s. */
const ATTEMPT_LEASE_MS = 30_000

export interface DueDelivery extends Telling {
  readonly eventSequence: number
}

export interface DeliveryClaim {
  readonly recipient: SealedRecipient
  readonly deliveries: DueDelivery[]
}

/** Up to `limit` due deliveries of an endpoint, oldest event first, leased to the caller; null for an endpoint that takes none. */
export function claimDeliveries(
  ctx: LedgerContext,
  endpointId: string,
  limit: number,
  leases: DeliveryLeases,
): DeliveryClaim | null {
  const endpoint = findEndpoint(ctx.db, endpointId)
  if (endpoint?.status !== 'enabled') return null
  const due = dueRows(ctx, endpointId, limit, leases)
  for (const { eventSequence } of due) leases.hold(endpointId, eventSequence, ctx.now + ATTEMPT_LEASE_MS)
  return { recipient: recipientOf(endpoint, ctx.now), deliveries: due }
}

const notOut = sql`${deliveries.eventSequence} not in (select value from json_each(${arg('out')}))`

const selectDue = statement((db) =>
  db
    .select({
      eventSequence: deliveries.eventSequence,
      eventId: events.id,
      body: events.body,
      traceparent: jobs.traceparent,
    })
    .from(deliveries)
    .innerJoin(events, eq(events.sequence, deliveries.eventSequence))
    .leftJoin(jobs, eq(jobs.id, events.subjectId))
    .where(
      and(
        eq(deliveries.endpointId, arg('endpointId')),
        isNotNull(deliveries.dueAt),
        lte(deliveries.dueAt, arg('now')),
        notOut,
      ),
    )
    .orderBy(asc(deliveries.dueAt), asc(deliveries.eventSequence))
    .limit(arg('limit'))
    .prepare(),
)

const outOf = (leases: DeliveryLeases, endpointId: string, now: number) =>
  JSON.stringify(leases.held(endpointId, now))

const dueRows = (
  { db, now }: LedgerContext,
  endpointId: string,
  limit: number,
  leases: DeliveryLeases,
): DueDelivery[] => selectDue(db).all({ endpointId, now, limit, out: outOf(leases, endpointId, now) })

const one = (endpointId: string, eventSequence: number) =>
  and(eq(deliveries.eventSequence, eventSequence), eq(deliveries.endpointId, endpointId))

export interface RecordedAttempt extends Exchanged {
  readonly eventSequence: number
}

const GONE = 410

/** Records attempts at an endpoint, and schedules what follows from each. */
export function recordAttempts(
  ctx: LedgerContext,
  endpointId: string,
  attempts: RecordedAttempt[],
  leases: DeliveryLeases,
): void {
  for (const { eventSequence, attempt } of attempts) {
    recordAttempt(ctx, endpointId, eventSequence, attempt)
    leases.release(endpointId, eventSequence)
  }
  if (attempts.some(({ attempt }) => attempt.status_code === GONE)) disableEndpoint(ctx, endpointId, 'gone')
}

function recordAttempt(
  ctx: LedgerContext,
  endpointId: string,
  eventSequence: number,
  attempt: Exchanged['attempt'],
) {
  const { db } = ctx
  const row = db.select().from(deliveries).where(one(endpointId, eventSequence)).get()
  if (row?.status !== 'pending') return
  const attempts = [...row.attempts, attempt]
  db.update(deliveries)
    .set({ attempts, tries: row.tries + 1, ...afterAttempt(ctx, attempt, row.tries + 1) })
    .where(one(endpointId, eventSequence))
    .run()
}

function afterAttempt({ now, random }: LedgerContext, { error }: Exchanged['attempt'], made: number) {
  if (error === null) return { status: 'delivered' as const, dueAt: null }
  const delay = nextDeliveryDelay(made, random)
  return delay === null ? { status: 'failed' as const, dueAt: null } : { dueAt: now + delay }
}

const nextDelivery = statement((db) =>
  db
    .select({ at: min(deliveries.dueAt) })
    .from(deliveries)
    .where(and(eq(deliveries.endpointId, arg('endpointId')), isNotNull(deliveries.dueAt), notOut))
    .prepare(),
)

/** Of each endpoint that is owed something, when its next delivery is due or one that is out counts as lost: an index seek each. */
export const nextDeliveries = (
  db: Db,
  leases: DeliveryLeases,
  now: number,
): { endpointId: string; at: number }[] =>
  subscriptions(db).flatMap(({ id: endpointId }) => {
    const due = nextDelivery(db).get({ endpointId, out: outOf(leases, endpointId, now) })?.at ?? null
    const times = [due, leases.nextEnd(endpointId)].filter((at) => at !== null)
    return times.length > 0 ? [{ endpointId, at: Math.min(...times) }] : []
  })
