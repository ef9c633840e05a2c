/**
 * Clients that prove who they are with a key of their own: `private_key_jwt` by RFC 7523 and draft-ietf-oauth-rfc7523bis.
 *
 * The draft wants our issuer identifier for the audience, and nothing beside it: who collects assertions for itself cannot use them
 * here then. Many libraries still send the token endpoint's URL, as RFC 7523 lets them, so that is taken too; what names others is not.
 */
import { z } from '@hono/zod-openapi'
import { decodeJwt, errors, type JWTHeaderParameters, jwtVerify } from 'jose'
import type { ClientKeys, PublicJwk } from '../../openapi/client-keys.ts'
import { algorithmOf, importKey } from './client-keys.ts'

export const ASSERTION_TYPE = 'urn:ietf:params:oauth:client-assertion-type:jwt-bearer'
export const assertionAlgorithms = ['ES256', 'EdDSA', 'Ed25519', 'RS256', 'PS256']
const MAX_AHEAD_SECONDS = 300
/** Customers' clocks are not ours. */
const TOLERANCE_SECONDS = 30
const types = [undefined, 'jwt', 'client-authentication+jwt', 'application/client-authentication+jwt']

const Subject = z.string().min(1).max(128)
const Claims = z.object({
  aud: z.union([z.string(), z.array(z.string())]),
  exp: z.number(),
  jti: z.string().min(1).max(256),
})

interface Refused {
  readonly ok: false
  /** The claim, for whoever holds the key; null where the signature is not the client's. */
  readonly because: string | null
}
export type Assertion = { readonly ok: true; readonly jti: string; readonly expiresAt: number } | Refused

const refused = (because: string | null): Refused => ({ ok: false, because })

/** Whom an assertion is said to be of; null where it is none. Nothing of it is verified. */
export function claimedClient(assertion: string): string | null {
  try {
    return Subject.parse(decodeJwt(assertion).sub)
  } catch {
    return null
  }
}

export async function verifyAssertion(
  baseUrl: string,
  { keys }: ClientKeys,
  clientId: string,
  assertion: string,
  now: number,
): Promise<Assertion> {
  const audience = [baseUrl, `${baseUrl}/oauth/token`]
  const options = {
    algorithms: assertionAlgorithms,
    issuer: clientId,
    subject: clientId,
    audience,
    clockTolerance: TOLERANCE_SECONDS,
    requiredClaims: ['exp', 'jti'],
    currentDate: new Date(now),
  }
  for (const key of keys) {
    const read = await readWith(key, assertion, options)
    if (read === 'of another key') continue
    return 'because' in read ? read : judged(read.payload, audience, now)
  }
  return refused(null)
}

async function readWith(key: PublicJwk, assertion: string, options: Parameters<typeof jwtVerify>[2]) {
  try {
    const verified = await jwtVerify(assertion, (header) => keyFor(key, header), options)
    return types.includes(verified.protectedHeader.typ?.toLowerCase()) ? verified : refused('typ')
  } catch (error) {
    if (error instanceof errors.JWTClaimValidationFailed || error instanceof errors.JWTExpired)
      return refused(error.claim)
    if (error instanceof errors.JOSEError) return 'of another key'
    throw error
  }
}

/** `kid` is a hint; a key without a name may go by any. */
function keyFor(key: PublicJwk, { alg, kid }: JWTHeaderParameters) {
  const isNamed = kid === undefined || key.kid === undefined || kid === key.kid
  if (!isNamed || oneName(alg) !== oneName(algorithmOf(key))) throw new errors.JWKSNoMatchingKey()
  return importKey(key, alg)
}

/** RFC 9864: with this key `EdDSA` is `Ed25519`. */
const oneName = (algorithm: string) => (algorithm === 'EdDSA' ? 'Ed25519' : algorithm)

function judged(payload: unknown, audience: readonly string[], now: number): Assertion {
  const claims = Claims.safeParse(payload)
  if (!claims.success) return refused(String(claims.error.issues[0]?.path[0]))
  const { aud, exp, jti } = claims.data
  if (![aud].flat().every((one) => audience.includes(one))) return refused('aud')
  if (exp > now / 1000 + MAX_AHEAD_SECONDS + TOLERANCE_SECONDS) return refused('exp')
  return { ok: true, jti, expiresAt: Math.ceil(exp + TOLERANCE_SECONDS) * 1000 }
}
