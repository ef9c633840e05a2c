/** Which endpoints are enabled and what they want to hear. Kept in memory: every event asks, and they hardly ever change. */
import { eq } from 'drizzle-orm'
import { webhookEndpoints } from './schema.ts'
import { arg, type Db, statement } from './store.ts'

const enabled = statement((db) =>
  db
    .select({ id: webhookEndpoints.id, eventTypes: webhookEndpoints.eventTypes })
    .from(webhookEndpoints)
    .where(eq(webhookEndpoints.status, arg('status')))
    .prepare(),
)

export type Subscription = Pick<typeof webhookEndpoints.$inferSelect, 'id' | 'eventTypes'>

const remembered = new WeakMap<Db, readonly Subscription[]>()

export function subscriptions(db: Db): readonly Subscription[] {
  const known = remembered.get(db)
  if (known) return known
  const read = enabled(db).all({ status: 'enabled' })
  remembered.set(db, read)
  return read
}

/** To be called with every change to the table of endpoints. */
export const subscriptionsChanged = (db: Db) => {
  remembered.delete(db)
}
