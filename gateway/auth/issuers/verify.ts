/**
 * Tokens of issuers other than our own, by RFC 9068: the same rules as for ours, but for what an issuer may choose. What such a token may
 * do is what it says and its issuer was registered for; whose it is must agree with the registration.
 */
import { z } from '@hono/zod-openapi'
import { decodeJwt, decodeProtectedHeader, errors, jwtVerify } from 'jose'
import { BoundedCache } from '../../../ledger/bounded-cache.ts'
import type { IssuerRow } from '../../../ledger/directory/issuers.ts'
import { TenantId } from '../../../openapi/tenant-words.ts'
import { CLOCK_TOLERANCE_SECONDS } from '../lifetimes.ts'
import { type Grant, hasOneSpelling } from '../token.ts'
import { Kid, type VerifyingKey } from './key-set.ts'
import { type Surroundings, TrustedIssuers } from './trusted.ts'

/** Longer than ours live, and no longer than a leaked one should. */
const LIFETIME_SECONDS = 3600
const KEPT_TOKENS = 1000
/** A longer one is verified each time, so that the memory kept is bounded. */
const KEPT_LENGTH = 3072

const Claims = z.object({
  sub: z.string().min(1).max(255),
  client_id: z.string().regex(/^[\x20-\x7e]{1,255}$/),
  tenant_id: TenantId,
  jti: z.string().min(1).max(255),
  iat: z.int(),
  exp: z.int(),
  scope: z.string().max(2048).default(''),
  cnf: z.undefined().optional(),
})
type Claims = z.infer<typeof Claims>

interface Verified {
  readonly signature: string
  readonly key: VerifyingKey
  readonly claims: Claims
}

/** Per isolate; values only. */
const issuers = new TrustedIssuers()
const verified = new BoundedCache<Verified>(KEPT_TOKENS)

/** The issuer that a token names, which nobody has verified; null where it names none. */
export function issuerNamed(token: string): string | null {
  try {
    const { iss }: { iss?: unknown } = decodeJwt(token)
    return typeof iss === 'string' ? iss : null
  } catch {
    return null
  }
}

/** What operators change takes effect here at once, and everywhere else when what is known there has had its time. */
export const forgetIssuer = (issuer: string) => issuers.forget(issuer)

/** The grant of a valid token; null for every token that is not, with no word on why. `audience`: ours, where the issuer has no other. */
export async function verifyForeign(
  issuer: string,
  token: string,
  audience: string,
  around: Surroundings,
): Promise<Grant | null | 'out of reach' | 'too many requests'> {
  const kid = hasOneSpelling(token) ? kidOf(token) : null
  if (kid === null) return null
  const trusted = await issuers.find(issuer, around)
  if (trusted === null || trusted === 'too many requests') return trusted
  const key = await issuers.keyOf(trusted, kid, around)
  if (key === null || key === 'out of reach') return key
  const claims = await claimsOf(token, key, trusted.row, audience, around.now())
  return claims && grantOf(claims, trusted.row)
}

const algorithms = new Set([
  'ES256',
  'ES384',
  'EdDSA',
  'Ed25519',
  'RS256',
  'RS384',
  'RS512',
  'PS256',
  'PS384',
  'PS512',
])

/** The key that a token names; null for a token that no key could make good, so that no issuer is asked for one. */
function kidOf(token: string): string | null {
  try {
    const { alg, kid } = decodeProtectedHeader(token)
    return alg !== undefined && algorithms.has(alg) ? (Kid.safeParse(kid).data ?? null) : null
  } catch {
    return null
  }
}

/** Kept by what is signed, which nobody can vary without a new signature, for as long as the key is there that it was verified with. */
async function claimsOf(
  token: string,
  key: VerifyingKey,
  row: IssuerRow,
  audience: string,
  now: number,
): Promise<Claims | null> {
  const end = token.lastIndexOf('.')
  const [signed, signature] = [token.slice(0, end), token.slice(end + 1)]
  const known = verified.get(signed, now)
  const isKnown = known?.key === key
  if (isKnown && known.signature === signature) return known.claims
  const claims = await verifyAfresh(token, key, row.issuer, row.audience ?? audience, now)
  if (claims && !isKnown && token.length <= KEPT_LENGTH)
    verified.put(signed, { signature, key, claims }, claims.exp * 1000)
  return claims
}

async function verifyAfresh(
  token: string,
  { key, algorithms }: VerifyingKey,
  issuer: string,
  audience: string,
  now: number,
): Promise<Claims | null> {
  try {
    const { payload, protectedHeader } = await jwtVerify(token, key, {
      algorithms: [...algorithms],
      issuer,
      audience,
      typ: 'at+jwt',
      clockTolerance: CLOCK_TOLERANCE_SECONDS,
      maxTokenAge: LIFETIME_SECONDS + CLOCK_TOLERANCE_SECONDS,
      requiredClaims: ['exp', 'sub', 'iat', 'jti', 'client_id', 'tenant_id'],
      currentDate: new Date(now),
    })
    // RFC 7797: a payload that is said not to be encoded; jose only takes note of it if `crit` does.
    if ('b64' in protectedHeader) return null
    const claims = Claims.safeParse(payload).data
    return claims && claims.exp - claims.iat <= LIFETIME_SECONDS ? claims : null
  } catch (error) {
    if (error instanceof errors.JOSEError) return null
    throw error
  }
}

/** Its clients are named after the issuer, so that none can pass for one of ours, or of another issuer. */
function grantOf({ client_id, tenant_id, scope }: Claims, { id, tenantId, scopes }: IssuerRow): Grant | null {
  if (tenant_id !== tenantId) return null
  const granted = scope.split(' ').filter((one) => scopes.includes(one))
  return { clientId: `${id}:${client_id}`, tenantId, scopes: granted }
}
