/** The keys that sign an endpoint's webhooks: rotated with an overlap in which old and new ones sign side by side. */
import { eq } from 'drizzle-orm'
import type { LedgerContext } from './context.ts'
import {
  type EndpointRow,
  type EndpointSnapshot,
  findEndpoint,
  noSuchEndpoint,
  signsByKeyPair,
  snapshotOf,
  validKeys,
} from './endpoints.ts'
import { type Answered, type Call, once } from './idempotency.ts'
import { done, type Outcome, refused } from './replies.ts'
import { type SigningKey, webhookEndpoints } from './schema.ts'
import type { Db } from './store.ts'

/** Each is a signature or two in every request's header. */
const MAX_KEYS = 10

/** The call's ID is the new key's. */
export function rotateSecret(
  ctx: LedgerContext,
  call: Call,
  endpointId: string,
  signingKey: SigningKey,
  overlapMs: number,
): Outcome<Answered<EndpointSnapshot>> {
  return once(ctx, call, () => {
    const endpoint = findEndpoint(ctx.db, endpointId)
    if (!endpoint) return noSuchEndpoint
    const isRepeated = endpoint.keys.some(({ id }) => id === signingKey.id)
    return isRepeated ? done(snapshotOf(endpoint, ctx.now)) : rotate(ctx, endpoint, signingKey, overlapMs)
  })
}

function rotate(
  { db, now }: LedgerContext,
  endpoint: EndpointRow,
  signingKey: SigningKey,
  overlapMs: number,
): Outcome<EndpointSnapshot> {
  const older = endpoint.keys.map((key) => ({ ...key, expiresAt: sooner(key.expiresAt, now + overlapMs) }))
  const keys = [signingKey, ...validKeys(older, now)]
  if (keys.length > MAX_KEYS) return tooManyKeys
  db.update(webhookEndpoints).set({ keys }).where(eq(webhookEndpoints.id, endpoint.id)).run()
  return done(snapshotOf({ ...endpoint, keys }, now))
}

const sooner = (expiresAt: number | null, at: number) => (expiresAt === null ? at : Math.min(expiresAt, at))

const tooManyKeys = refused(
  'invalid-request',
  `The endpoint would have more than ${MAX_KEYS} valid secrets at once. Rotate with a shorter overlap; 0 ends all older secrets now.`,
  {
    errors: [
      { pointer: '/overlap_seconds', detail: `More than ${MAX_KEYS} secrets would be valid at once.` },
    ],
  },
)

/** The public half of a key. */
export interface PublicKey extends Pick<SigningKey, 'id' | 'publicKey' | 'createdAt' | 'expiresAt'> {
  readonly endpointId: string
}

export interface PublicKeyListing {
  readonly keys: PublicKey[]
  readonly nextAfter: string | null
}

/** Of all endpoints that are signed for by key pairs, those that verify now, newest first. There are few: they are sorted here. */
export function listPublicKeys(db: Db, after: string | null, limit: number, now: number): PublicKeyListing {
  const found = db
    .select({
      id: webhookEndpoints.id,
      signing: webhookEndpoints.signing,
      keys: webhookEndpoints.keys,
    })
    .from(webhookEndpoints)
    .all()
    .filter(signsByKeyPair)
    .flatMap(({ id, keys }) => validKeys(keys, now).map((key) => publicHalf(id, key)))
    .filter(({ id }) => after === null || id < after)
    .toSorted((a, b) => (a.id < b.id ? 1 : -1))
  const keys = found.slice(0, limit)
  return { keys, nextAfter: found.length > limit ? (keys.at(-1)?.id ?? null) : null }
}

const publicHalf = (endpointId: string, { id, publicKey, createdAt, expiresAt }: SigningKey): PublicKey => ({
  id,
  endpointId,
  publicKey,
  createdAt,
  expiresAt,
})
