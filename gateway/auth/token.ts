/** Access tokens by RFC 9068: issuing ours, verifying what comes back. */
import { z } from '@hono/zod-openapi'
import { errors, jwtVerify, SignJWT } from 'jose'
import { BoundedCache } from '../../ledger/bounded-cache.ts'
import { TenantId } from '../../openapi/tenant-words.ts'
import type { Config } from '../config.ts'
import { issuerKeys } from './keys.ts'
import { CLOCK_TOLERANCE_SECONDS, TOKEN_SECONDS } from './lifetimes.ts'

const MAX_TOKEN_LENGTH = 8192

export type Audience = 'tenants' | 'operators'
const audiences = { tenants: '/v1', operators: '/ops/v1' } as const
export const audienceOf = (config: Config, audience: Audience) => config.baseUrl + audiences[audience]

export interface Grant {
  readonly clientId: string
  readonly tenantId: string | null
  readonly scopes: readonly string[]
}

/** Signs a token of 15 minutes for a client. */
export async function issueToken(config: Config, grant: Grant, now: number, jti: string): Promise<string> {
  const { signing } = await issuerKeys(config, now)
  const issuedAt = Math.floor(now / 1000)
  const claims = {
    client_id: grant.clientId,
    scope: grant.scopes.join(' '),
    ...(grant.tenantId && { tenant_id: grant.tenantId }),
  }
  return new SignJWT(claims)
    .setProtectedHeader({ alg: 'ES256', typ: 'at+jwt', kid: signing.kid })
    .setIssuer(config.baseUrl)
    .setAudience(audienceOf(config, grant.tenantId === null ? 'operators' : 'tenants'))
    .setSubject(grant.clientId)
    .setIssuedAt(issuedAt)
    .setExpirationTime(issuedAt + TOKEN_SECONDS)
    .setJti(jti)
    .sign(signing.key)
}

const common = {
  sub: z.string().min(1).max(128),
  client_id: z.string().min(1).max(128),
  jti: z.string().min(1).max(128),
  iat: z.int(),
  exp: z.int(),
  scope: z.string().max(2048).default(''),
  /** A token that is bound to a key must not pass as a plain bearer token (RFC 9449). */
  cnf: z.undefined().optional(),
}
const claimsOf = {
  tenants: z.object({ ...common, tenant_id: TenantId }),
  operators: z.object({ ...common, tenant_id: z.undefined().optional() }),
}

const bearer = /^bearer +([A-Za-z0-9_-]+\.[A-Za-z0-9_-]+\.[A-Za-z0-9_-]+)$/i

/** The token of an Authorization header (RFC 6750); null where it is none, which includes two headers joined by a comma. */
export const bearerToken = (header: string) =>
  header.length <= MAX_TOKEN_LENGTH ? (bearer.exec(header)?.[1] ?? null) : null

/** By length modulo 4, how base64url ends whose unused bits are zero. */
const ends = [/$/, /(?!)/, /[AQgw]$/, /[AEIMQUYcgkosw048]$/] as const

/**
 * RFC 4648, section 3.5: the same signature could be spelt in several ways, each of them good, and each would be kept as a token of its
 * own. Header and payload are signed as they are spelt.
 */
export function hasOneSpelling(token: string): boolean {
  const signature = token.slice(token.lastIndexOf('.') + 1)
  return ends[signature.length % 4]?.test(signature) ?? false
}

const KEPT_TOKENS = 2000
/** Ours are of about 700 characters; a longer one is verified each time, so that the memory kept is bounded. */
const KEPT_LENGTH = 2048

interface Verified {
  readonly signature: string
  readonly grant: Grant
}

/**
 * By what is signed, which nobody can vary without a new signature, until the token ends; per isolate and configuration. An ES256
 * signature takes as long to verify as a job takes to insert.
 */
const verifiedTokens = new WeakMap<Config, BoundedCache<Verified>>()

/**
 * The grant of a valid token; null for every token that is not, with no word on why. Faults of our keys throw. An ECDSA signature has a
 * twin that is as good (r and n - s): it is verified each time, and takes no room.
 */
export async function verifyToken(
  config: Config,
  audience: Audience,
  token: string,
  now: number,
): Promise<Grant | null> {
  if (!hasOneSpelling(token)) return null
  const end = token.lastIndexOf('.')
  const [signed, signature] = [`${audience} ${token.slice(0, end)}`, token.slice(end + 1)]
  const known = verifiedOf(config).get(signed, now)
  if (known?.signature === signature) return known.grant

  const verified = await verifyAfresh(config, audience, token, now)
  if (!verified) return null
  const { expiresAt, ...grant } = verified
  const isKept = !known && now < expiresAt && token.length <= KEPT_LENGTH
  if (isKept) verifiedOf(config).put(signed, { signature, grant }, expiresAt)
  return grant
}

function verifiedOf(config: Config): BoundedCache<Verified> {
  const cache = verifiedTokens.get(config) ?? new BoundedCache<Verified>(KEPT_TOKENS)
  verifiedTokens.set(config, cache)
  return cache
}

async function verifyAfresh(config: Config, audience: Audience, token: string, now: number) {
  const { verifying } = await issuerKeys(config, now)
  try {
    const { payload, protectedHeader } = await jwtVerify(token, ({ kid }) => keyFor(verifying, kid), {
      algorithms: ['ES256'],
      issuer: config.baseUrl,
      audience: audienceOf(config, audience),
      typ: 'at+jwt',
      clockTolerance: CLOCK_TOLERANCE_SECONDS,
      maxTokenAge: TOKEN_SECONDS + CLOCK_TOLERANCE_SECONDS,
      requiredClaims: ['exp', 'sub', 'iat', 'jti', 'client_id'],
      currentDate: new Date(now),
    })
    // RFC 7797: a payload that is said not to be encoded; jose only takes note of it if `crit` does.
    return 'b64' in protectedHeader ? null : grantOf(audience, payload)
  } catch (error) {
    if (error instanceof errors.JOSEError) return null
    throw error
  }
}

function keyFor(keys: ReadonlyMap<string, CryptoKey>, kid: unknown): CryptoKey {
  const key = typeof kid === 'string' ? keys.get(kid) : undefined
  if (!key) throw new errors.JWKSNoMatchingKey()
  return key
}

/** jose checks that claims are there, not what they look like. */
function grantOf(audience: Audience, payload: unknown): (Grant & { expiresAt: number }) | null {
  const claims = claimsOf[audience].safeParse(payload)
  if (!claims.success) return null
  const { client_id, scope, tenant_id, iat, exp } = claims.data
  if (exp - iat > TOKEN_SECONDS || claims.data.sub !== client_id) return null
  const expiresAt = exp * 1000
  return { clientId: client_id, tenantId: tenant_id ?? null, scopes: scope.split(' '), expiresAt }
}
