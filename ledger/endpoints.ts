/** A tenant's webhook endpoints. Secrets arrive sealed; the ledger never sees one in the clear. */
import { and, count, desc, eq, isNotNull, lt } from 'drizzle-orm'
import type { LedgerContext } from './context.ts'
import { firstAnswer, type RequestKey, recordKey } from './idempotency.ts'
import { done, type Outcome, refused } from './replies.ts'
import { deliveries, type SigningKey, webhookEndpoints } from './schema.ts'
import type { Db } from './store.ts'
import { subscriptionsChanged } from './subscriptions.ts'
import { healthy } from './webhooks/health.ts'
import type { SealedRecipient } from './webhooks/recipient.ts'

export type EndpointRow = typeof webhookEndpoints.$inferSelect

/** What its owner decides about an endpoint. */
export type EndpointFields = Pick<
  EndpointRow,
  | 'url'
  | 'eventTypes'
  | 'description'
  | 'signing'
  | 'ordered'
  | 'maxPerSecond'
  | 'headerNames'
  | 'sealedHeaders'
  | 'metadata'
>

export interface EndpointRequest extends EndpointFields {
  readonly id: string
  readonly signingKey: SigningKey
  /** Null when the caller sent no Idempotency-Key. */
  readonly key: RequestKey | null
}

export interface CreatedEndpoint {
  readonly endpoint: EndpointRow
  readonly replayed: boolean
}

export function createEndpoint(ctx: LedgerContext, request: EndpointRequest): Outcome<CreatedEndpoint> {
  const { key, signingKey, ...fields } = request
  const first = key && firstAnswer(ctx.db, key)
  if (first && 'ok' in first) return first
  if (first)
    return done({
      endpoint: JSON.parse(first.response ?? '') as EndpointRow,
      replayed: first.resourceId !== request.id,
    })

  if (countEndpoints(ctx.db) >= ctx.plan.max_webhook_endpoints)
    return refused(
      'invalid-request',
      `The tenant has ${ctx.plan.max_webhook_endpoints} endpoints, as many as its plan allows.`,
    )

  const row: EndpointRow = {
    ...fields,
    status: 'enabled',
    disabledReason: null,
    keys: [signingKey],
    health: healthy,
    sequence: 0,
    createdAt: ctx.now,
  }
  ctx.db.insert(webhookEndpoints).values(row).run()
  subscriptionsChanged(ctx.db)
  if (key) recordKey(ctx.db, key, row.id, JSON.stringify(row), ctx.now)
  return done({ endpoint: row, replayed: false })
}

const countEndpoints = (db: Db) => db.select({ n: count() }).from(webhookEndpoints).get()?.n ?? 0

export const findEndpoint = (db: Db, id: string): EndpointRow | undefined =>
  db.select().from(webhookEndpoints).where(eq(webhookEndpoints.id, id)).get()

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

export const validKeys = (keys: readonly SigningKey[], now: number) =>
  keys.filter(({ expiresAt }) => expiresAt === null || expiresAt > now)

export interface EndpointListing {
  readonly endpoints: EndpointRow[]
  readonly nextAfter: string | null
}

export function listEndpoints(db: Db, after: string | null, limit: number): EndpointListing {
  const found = db
    .select()
    .from(webhookEndpoints)
    .where(after ? lt(webhookEndpoints.id, after) : undefined)
    .orderBy(desc(webhookEndpoints.id))
    .limit(limit + 1)
    .all()
  const endpoints = found.slice(0, limit)
  return { endpoints, nextAfter: found.length > limit ? (endpoints.at(-1)?.id ?? null) : null }
}

/** Ends what was still to be delivered, at once. */
export function deleteEndpoint({ db }: LedgerContext, id: string): Outcome<null> {
  if (!findEndpoint(db, id)) return refused('not-found', 'There is no such webhook endpoint.')
  db.delete(webhookEndpoints).where(eq(webhookEndpoints.id, id)).run()
  subscriptionsChanged(db)
  db.update(deliveries)
    .set({ status: 'cancelled', dueAt: null })
    .where(and(eq(deliveries.endpointId, id), isNotNull(deliveries.dueAt)))
    .run()
  return done(null)
}
