/** Which endpoints there are and what they want to hear. Kept in memory: every event asks, and they hardly ever change. */
import { webhookEndpoints } from './schema.ts'
import { type Db, statement } from './store.ts'

const all = statement((db) =>
  db
    .select({
      id: webhookEndpoints.id,
      eventTypes: webhookEndpoints.eventTypes,
      status: webhookEndpoints.status,
      ordered: webhookEndpoints.ordered,
    })
    .from(webhookEndpoints)
    .prepare(),
)

export type Subscription = Pick<
  typeof webhookEndpoints.$inferSelect,
  'id' | 'eventTypes' | 'status' | 'ordered'
>

const remembered = new WeakMap<Db, readonly Subscription[]>()

export function subscriptions(db: Db): readonly Subscription[] {
  const known = remembered.get(db)
  if (known) return known
  const read = all(db).all()
  remembered.set(db, read)
  return read
}

/** To be called with every change to the table of endpoints. */
export const subscriptionsChanged = (db: Db) => {
  remembered.delete(db)
}
