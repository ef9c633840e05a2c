/** What becomes of an endpoint's undelivered events when the endpoint itself changes. Due and held ones have an index each. */
import { and, eq, isNotNull, type SQL, sql } from 'drizzle-orm'
import { dueNow } from './due.ts'
import { deliveries, events } from './schema.ts'
import type { Db } from './store.ts'

const dueOf = (endpointId: string) => and(eq(deliveries.endpointId, endpointId), isNotNull(deliveries.dueAt))

/** The status is spelled out: a partial index is of use only where the statement itself implies its condition. */
const heldOf = (endpointId: string) =>
  and(eq(deliveries.endpointId, endpointId), sql`${deliveries.status} = 'held'`)

type Change = Partial<Omit<typeof deliveries.$inferInsert, 'orderedSubject'>> & {
  orderedSubject?: SQL<string> | null
}

const changeUndelivered = (db: Db, endpointId: string, change: Change) => {
  for (const which of [dueOf(endpointId), heldOf(endpointId)])
    db.update(deliveries).set(change).where(which).run()
}

/** Nothing is dropped: held deliveries are there to be seen, and sent when their time comes. */
export const holdDue = (db: Db, endpointId: string) => {
  db.update(deliveries).set({ status: 'held', dueAt: null }).where(dueOf(endpointId)).run()
}

export const sendHeld = (db: Db, endpointId: string, now: number) => {
  db.update(deliveries).set(dueNow(now)).where(heldOf(endpointId)).run()
}

export const cancelUndelivered = (db: Db, endpointId: string) =>
  changeUndelivered(db, endpointId, { status: 'cancelled', dueAt: null })

const subject = sql<string>`(select ${events.subjectId} from ${events} where ${events.sequence} = ${deliveries.eventSequence})`

/** From now on, or no more, one after the other for each subject: what waits already included. */
export const orderUndelivered = (db: Db, endpointId: string, ordered: boolean) =>
  changeUndelivered(db, endpointId, { orderedSubject: ordered ? subject : null })
