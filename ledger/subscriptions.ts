/** The tenant's endpoints. Kept in memory: every event and every turn of a drain asks, and they hardly ever change. */
import { webhookEndpoints } from './schema.ts'
import { type Db, statement } from './store.ts'

const all = statement((db) => db.select().from(webhookEndpoints).prepare())

export type Subscription = typeof webhookEndpoints.$inferSelect

const remembered = new WeakMap<Db, ReadonlyMap<string, Subscription>>()

function known(db: Db): ReadonlyMap<string, Subscription> {
  const there = remembered.get(db)
  if (there) return there
  const read = new Map(
    all(db)
      .all()
      .map((row) => [row.id, row]),
  )
  remembered.set(db, read)
  return read
}

export const subscriptions = (db: Db): Iterable<Subscription> => known(db).values()
export const subscription = (db: Db, id: string): Subscription | undefined => known(db).get(id)

/** To be called with every change to the table of endpoints. */
export const subscriptionsChanged = (db: Db) => {
  remembered.delete(db)
}
