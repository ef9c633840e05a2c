/**
 * From what an issuer publishes (RFC 7517) to the keys that its tokens may be signed with. Pure but for the import.
 *
 * A key that cannot be used is passed over, so that one of a kind that we do not know takes no other along. Each is bound to one
 * algorithm, and to a `kid` of its own: where two share one there is no telling which is meant.
 */
import { z } from '@hono/zod-openapi'
import { importJWK } from 'jose'
import { fromBase64url } from '../../../ledger/base64.ts'
import type { PublishedKey } from '../../../ledger/directory/schema.ts'

const MAX_KEYS = 50
const MIN_RSA_BITS = 2048
/** What verifying costs grows with its square. */
const MAX_RSA_BITS = 8192

export const Kid = z.string().regex(/^[\x21-\x7e]{1,256}$/)
const Base64url = z.string().regex(/^[A-Za-z0-9_-]{1,2048}$/)

const common = {
  kid: Kid,
  use: z.literal('sig').optional(),
  key_ops: z
    .array(z.string())
    .refine((operations) => operations.includes('verify'))
    .optional(),
}

const onCurve = (crv: 'P-256' | 'P-384', alg: 'ES256' | 'ES384') =>
  z.object({
    ...common,
    kty: z.literal('EC'),
    crv: z.literal(crv),
    alg: z.literal(alg).default(alg),
    x: Base64url,
    y: Base64url,
  })

const Key = z.union([
  onCurve('P-256', 'ES256'),
  onCurve('P-384', 'ES384'),
  z.object({
    ...common,
    kty: z.literal('OKP'),
    crv: z.literal('Ed25519'),
    alg: z.enum(['EdDSA', 'Ed25519']).default('EdDSA'),
    x: Base64url,
  }),
  z.object({
    ...common,
    kty: z.literal('RSA'),
    // Many issuers leave it out, and all of them mean this one.
    alg: z.enum(['RS256', 'RS384', 'RS512', 'PS256', 'PS384', 'PS512']).default('RS256'),
    n: Base64url.refine((n) => isWithin(bitsOf(n), MIN_RSA_BITS, MAX_RSA_BITS)),
    e: z.enum(['AQAB', 'Aw']),
  }),
])

const isWithin = (value: number, least: number, most: number) => least <= value && value <= most

function bitsOf(base64url: string): number {
  const bytes = fromBase64url(base64url)
  const first = bytes.findIndex((byte) => byte !== 0)
  return first < 0 ? 0 : (bytes.length - first) * 8 - (Math.clz32(bytes[first] ?? 0) - 24)
}

const KeySet = z.object({ keys: z.array(z.record(z.string(), z.unknown())).max(MAX_KEYS) })

/** The public keys in an issuer's answer; null where that is no key set, or one of too many keys. */
export function publishedKeys(body: unknown): PublishedKey[] | null {
  const set = KeySet.safeParse(body)
  if (!set.success) return null
  const leaked = new Set(set.data.keys.filter(isSecret).map(materialOf))
  const usable = set.data.keys.filter((jwk) => !leaked.has(materialOf(jwk))).flatMap(usableKey)
  const byKid = Map.groupBy(usable, ({ kid }) => kid)
  return Array.from(byKid.values()).flatMap((same) => (same.length === 1 ? same : []))
}

const secretMembers = ['d', 'p', 'q', 'dp', 'dq', 'qi', 'oth', 'k']

/** Everybody can sign with a key whose secret half was published, whatever else was published of it. */
const isSecret = (jwk: object) => secretMembers.some((name) => name in jwk)

const materialOf = ({ n, x }: Record<string, unknown>) => n ?? x

function usableKey(jwk: object): PublishedKey[] {
  const { success, data } = Key.safeParse(jwk)
  if (!success) return []
  const { use: _, key_ops: __, ...key } = data
  return [key]
}

export interface VerifyingKey {
  /** Names of its one algorithm. */
  readonly algorithms: readonly string[]
  readonly key: CryptoKey
}

/** By `kid`. What is no point of its curve is passed over as well. */
export async function importKeys(keys: readonly PublishedKey[]): Promise<ReadonlyMap<string, VerifyingKey>> {
  const entries = await Promise.all(keys.map((jwk) => imported(jwk).catch(() => null)))
  return new Map(entries.filter((entry) => entry !== null))
}

async function imported({ kid, alg, ...jwk }: PublishedKey): Promise<[string, VerifyingKey] | null> {
  const key = await importJWK({ ...jwk, alg }, alg)
  if (key instanceof Uint8Array) return null
  return [kid, { algorithms: jwk.kty === 'OKP' ? ['EdDSA', 'Ed25519'] : [alg], key: key as CryptoKey }]
}
