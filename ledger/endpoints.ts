/** A tenant's webhook endpoints as they are on record, and what of them leaves the ledger. Secrets lie here sealed. */
import { count, desc, eq, lt } from 'drizzle-orm'
import { done, type Outcome, refused } from './replies.ts'
import { type SigningKey, webhookEndpoints } from './schema.ts'
import type { Db } from './store.ts'
import { subscriptionsChanged } from './subscriptions.ts'
import type { SealedRecipient } from './webhooks/recipient.ts'

export type EndpointRow = typeof webhookEndpoints.$inferSelect

/** What views are made of: nothing that is secret, sealed or not. */
export interface EndpointSnapshot
  extends Omit<EndpointRow, 'keys' | 'sealedHeaders' | 'health' | 'sequence'> {
  /** `whpk_…`, those that verify now; empty where the endpoint wants no such signature. */
  readonly publicKeys: string[]
}

export function snapshotOf(row: EndpointRow, now: number): EndpointSnapshot {
  const { keys, sealedHeaders: _s, health: _h, sequence: _n, ...shown } = row
  const publicKeys = signsByKeyPair(row) ? validKeys(keys, now).map(({ publicKey }) => publicKey) : []
  return { ...shown, publicKeys }
}

export const signsByKeyPair = ({ signing }: Pick<EndpointRow, 'signing'>) => signing !== 'hmac'

export const validKeys = (keys: readonly SigningKey[], now: number) =>
  keys.filter(({ expiresAt }) => expiresAt === null || expiresAt > now)

export const countEndpoints = (db: Db): number =>
  db.select({ n: count() }).from(webhookEndpoints).get()?.n ?? 0

export const findEndpoint = (db: Db, id: string): EndpointRow | undefined =>
  db.select().from(webhookEndpoints).where(eq(webhookEndpoints.id, id)).get()

/** The one place that changes an endpoint's row. */
export function changeEndpoint(db: Db, id: string, change: Partial<EndpointRow>): void {
  db.update(webhookEndpoints).set(change).where(eq(webhookEndpoints.id, id)).run()
  subscriptionsChanged(db)
}

export const noSuchEndpoint = refused('not-found', 'There is no such webhook endpoint.')

export function readEndpoint(db: Db, id: string, now: number): Outcome<EndpointSnapshot> {
  const row = findEndpoint(db, id)
  return row ? done(snapshotOf(row, now)) : noSuchEndpoint
}

/** As a sender needs it, with the keys that are valid now. */
export const recipientOf = (
  { id, url, signing, keys, sealedHeaders }: EndpointRow,
  now: number,
): SealedRecipient => ({
  endpointId: id,
  url,
  signing,
  keys: validKeys(keys, now).map(({ sealedSecret, sealedSeed }) => ({ sealedSecret, sealedSeed })),
  sealedHeaders,
})

/** To whom a test webhook goes; a disabled endpoint is tested like any other: that is how its owner finds out whether to enable it. */
export function readRecipient(db: Db, id: string, now: number): Outcome<SealedRecipient> {
  const row = findEndpoint(db, id)
  return row ? done(recipientOf(row, now)) : noSuchEndpoint
}

export interface EndpointListing {
  readonly endpoints: EndpointSnapshot[]
  readonly nextAfter: string | null
}

export function listEndpoints(db: Db, after: string | null, limit: number, now: number): EndpointListing {
  const found = db
    .select()
    .from(webhookEndpoints)
    .where(after ? lt(webhookEndpoints.id, after) : undefined)
    .orderBy(desc(webhookEndpoints.id))
    .limit(limit + 1)
    .all()
  const endpoints = found.slice(0, limit).map((row) => snapshotOf(row, now))
  return { endpoints, nextAfter: found.length > limit ? (endpoints.at(-1)?.id ?? null) : null }
}
