/** Deliveries on their way out: handed to the callback Worker for one endpoint, as many as it takes, oldest first. */
import { and, asc, eq, isNotNull, lte, sql } from 'drizzle-orm'
import type { LedgerContext } from './context.ts'
import { recipientOf } from './endpoints.ts'
import type { Outgoing } from './outgoing.ts'
import { deliveries, events, jobs } from './schema.ts'
import { arg, type Db, statement } from './store.ts'
import { type Subscription, subscription, subscriptions } from './subscriptions.ts'
import type { Telling } from './webhooks/deliver.ts'
import type { SealedRecipient } from './webhooks/recipient.ts'

export interface DueDelivery extends Telling {
  readonly eventSequence: number
  /** Attempts before this one, in the present round. */
  readonly tries: number
  /** When the event happened. */
  readonly createdAt: number
}

export interface HandedOut {
  /** Null with no deliveries. */
  readonly recipient: SealedRecipient | null
  readonly deliveries: DueDelivery[]
}

export const nothing: HandedOut = { recipient: null, deliveries: [] }

/** Up to `most` due deliveries of an endpoint, which are out from now on. Whoever made them due wants them attempted, whatever its status. */
export function handOut(ctx: LedgerContext, endpointId: string, most: number, outgoing: Outgoing): HandedOut {
  const { db, now } = ctx
  const endpoint = subscription(db, endpointId)
  const limit = endpoint ? Math.min(most, outgoing.room(endpoint, now)) : 0
  if (!endpoint || limit === 0) return nothing
  const due = (endpoint.ordered ? selectDueInOrder : selectDue)(db).all({
    endpointId,
    now,
    limit,
    out: JSON.stringify(outgoing.out(endpointId, now)),
  })
  if (due.length === 0) return nothing
  outgoing.send(
    endpoint,
    due.map(({ eventSequence }) => eventSequence),
    now,
  )
  return { recipient: recipientOf(endpoint, now), deliveries: due }
}

const notOut = sql`${deliveries.eventSequence} not in (select value from json_each(${arg('out')}))`

/** No earlier event about the same thing is still to be delivered to this endpoint. */
const nextInOrder = sql`not exists (
  select 1 from ${deliveries} as earlier
  where earlier.endpoint_id = ${deliveries.endpointId} and earlier.ordered_subject = ${deliveries.orderedSubject}
    and earlier.due_at is not null and earlier.event_sequence < ${deliveries.eventSequence})`

const dueOf = (db: Db, inOrder: typeof nextInOrder | undefined) =>
  db
    .select({
      eventSequence: deliveries.eventSequence,
      tries: deliveries.tries,
      eventId: events.id,
      createdAt: events.createdAt,
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
        inOrder,
      ),
    )
    .orderBy(asc(deliveries.dueAt), asc(deliveries.eventSequence))
    .limit(arg('limit'))
    .prepare()

const selectDue = statement((db) => dueOf(db, undefined))
const selectDueInOrder = statement((db) => dueOf(db, nextInOrder))

const firstDue = (db: Db, inOrder: typeof nextInOrder | undefined) =>
  db
    .select({ at: deliveries.dueAt })
    .from(deliveries)
    .where(and(eq(deliveries.endpointId, arg('endpointId')), isNotNull(deliveries.dueAt), notOut, inOrder))
    .orderBy(asc(deliveries.dueAt))
    .limit(1)
    .prepare()

const selectFirstDue = statement((db) => firstDue(db, undefined))
const selectFirstDueInOrder = statement((db) => firstDue(db, nextInOrder))

/** When an endpoint's next delivery can go out, or one that is out counts as lost; null when it is owed nothing. */
export function nextDelivery(db: Db, endpoint: Subscription, outgoing: Outgoing, now: number): number | null {
  const { id: endpointId, ordered } = endpoint
  const out = JSON.stringify(outgoing.out(endpointId, now))
  const due = (ordered ? selectFirstDueInOrder : selectFirstDue)(db).get({ endpointId, out })?.at ?? null
  const loss = outgoing.nextLoss(endpointId)
  if (due === null) return loss
  const at = Math.max(due, outgoing.roomAt(endpoint, now))
  return loss === null ? at : Math.min(at, loss)
}

/** The same of each endpoint that is owed something: an index seek each. */
export const nextDeliveries = (
  db: Db,
  outgoing: Outgoing,
  now: number,
): { endpointId: string; at: number }[] =>
  [...subscriptions(db)].flatMap((endpoint) => {
    const at = nextDelivery(db, endpoint, outgoing, now)
    return at === null ? [] : [{ endpointId: endpoint.id, at }]
  })
