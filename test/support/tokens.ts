/** Access tokens as our issuer makes them, for a spec that is not about getting one. */
import { randomUUID } from 'node:crypto'
import { importJWK, SignJWT } from 'jose'
import { inject } from 'vitest'
import { BASE_URL } from './base-url.ts'

export interface TokenChange {
  readonly claims?: Record<string, unknown>
  readonly header?: object
  /** Claims to leave out. */
  readonly drop?: readonly string[]
}

/** A token of a tenant's client, good for ten minutes; changed where it is to be a bad one. */
export const mintToken = (tenantId: string, clientId: string, scope: string, change: TokenChange = {}) =>
  signToken(inject('stack').signingKey, tenantId, clientId, scope, change)

/** The same, of the issuer with this key. */
export async function signToken(
  signingKey: Record<string, string>,
  tenantId: string,
  clientId: string,
  scope: string,
  { claims: changed, header, drop = [] }: TokenChange = {},
): Promise<string> {
  const now = Math.floor(Date.now() / 1000)
  const claims: Record<string, unknown> = {
    iss: BASE_URL,
    aud: `${BASE_URL}/v1`,
    sub: clientId,
    client_id: clientId,
    tenant_id: tenantId,
    scope,
    jti: randomUUID(),
    iat: now,
    exp: now + 600,
    ...changed,
  }
  for (const name of drop) delete claims[name]
  const protectedHeader = {
    alg: 'ES256',
    typ: 'at+jwt',
    ...(signingKey.kid && { kid: signingKey.kid }),
    ...header,
  }
  return new SignJWT(claims)
    .setProtectedHeader(protectedHeader)
    .sign(await importJWK(signingKey, signingKey.alg ?? 'ES256'))
}
