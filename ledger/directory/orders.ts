/**
 * Standing orders as the directory has them: pauses of the intake, and what was decided about models. Each isolate keeps them for a few
 * seconds; a ledger reads them, together with how its tenant stands, while it has work.
 */
import { and, eq, sql } from 'drizzle-orm'
import type { Orders } from '../orders.ts'
import type { TenantStanding } from '../tenant-standing.ts'
import { type Directory, openDirectory } from './open.ts'
import { intakePauses, modelStates, orderRevisions, tenants } from './schema.ts'
import { standingFrom } from './tenant-changes.ts'

/** How old what an isolate goes by may be. */
export const ORDERS_KEPT_MS = 5000
const THE_ROW = 1

/** Per isolate: values only, never promises, since a promise of one request must not be awaited by another. */
let kept: { readonly orders: Orders; readonly until: number } | null = null

/** The orders, at most a few seconds old. Where the directory does not answer they are those that were last known, if any were. */
export async function knownOrders(database: D1Database, now: number): Promise<Orders> {
  const known = kept
  if (known && now < known.until) return known.orders
  try {
    return await freshOrders(database, now)
  } catch (error) {
    if (known) return known.orders
    throw error
  }
}

/** Reads them afresh; whoever has changed them here goes by them at once. */
export async function freshOrders(database: D1Database, now: number): Promise<Orders> {
  const orders = await readOrders(openDirectory(database))
  // Of two readings at once the later one may be the first to end.
  if (!kept || kept.orders.revision <= orders.revision) kept = { orders, until: now + ORDERS_KEPT_MS }
  return orders
}

const selections = (directory: Directory) =>
  [
    directory.select().from(orderRevisions).where(eq(orderRevisions.id, THE_ROW)),
    directory.select().from(intakePauses).orderBy(intakePauses.id),
    directory.select().from(modelStates).orderBy(modelStates.model),
  ] as const

const readOrders = async (directory: Directory): Promise<Orders> =>
  ordersFrom(...(await directory.batch(selections(directory))))

export interface Told {
  readonly orders: Orders
  /** Null for a tenant that is not there. */
  readonly standing: TenantStanding | null
}

/** All that a ledger of the tenant, and this generation of it, goes by, as of one moment. */
export async function readTold(database: D1Database, tenantId: string, generation: number): Promise<Told> {
  const directory = openDirectory(database)
  const own = directory
    .select()
    .from(tenants)
    .where(and(eq(tenants.id, tenantId), eq(tenants.generation, generation)))
  const [[row], ...rows] = await directory.batch([own, ...selections(directory)])
  return { orders: ordersFrom(...rows), standing: row ? standingFrom(row) : null }
}

type Rows = readonly [
  readonly (typeof orderRevisions.$inferSelect)[],
  readonly (typeof intakePauses.$inferSelect)[],
  readonly (typeof modelStates.$inferSelect)[],
]

const ordersFrom = (...[revisions, pauses, states]: Rows): Orders => ({
  revision: revisions[0]?.revision ?? 0,
  pauses: pauses.map(({ tenantId, kind, model, acceptedWork }) => ({ tenantId, kind, model, acceptedWork })),
  models: Object.fromEntries(states.map(({ model, version, enabled }) => [model, { version, enabled }])),
})

/** Belongs into every transaction that changes orders: whoever knows an older revision learns that there is a newer one. */
export const nextRevision = (directory: Directory) =>
  directory
    .insert(orderRevisions)
    .values({ id: THE_ROW, revision: 1 })
    .onConflictDoUpdate({
      target: orderRevisions.id,
      set: { revision: sql`${orderRevisions.revision} + 1` },
    })
