/** API clients of a tenant, as operators make them, and how such a client asks for tokens. */
import { randomUUID } from 'node:crypto'
import { exportJWK, generateKeyPair, type JWTPayload, SignJWT } from 'jose'
import { BASE_URL } from './base-url.ts'
import { type Answer, type Body, request } from './client.ts'
import { expectStatus, operator, type Tenant } from './tenant.ts'

export const ASSERTION_TYPE = 'urn:ietf:params:oauth:client-assertion-type:jwt-bearer'
const grant = { grant_type: 'client_credentials' }

export const clientsOf = ({ id }: Tenant) => `/ops/v1/tenants/${id}/clients`

export async function createClient(tenant: Tenant, more: object = {}): Promise<Body> {
  const body = { name: 'spec', reason: 'a spec', ...more }
  return (await expectStatus(201, (await operator()).post(clientsOf(tenant), body))).body
}

/** Asks for a token with these parameters. */
export const askForToken = (
  parameters: Record<string, string>,
  headers: Record<string, string> = {},
): Promise<Answer> =>
  request('POST', '/oauth/token', {
    headers: { 'Content-Type': 'application/x-www-form-urlencoded', ...headers },
    raw: new URLSearchParams({ ...grant, ...parameters }).toString(),
  })

export const askBySecret = (client_id: string, client_secret: string) =>
  askForToken({ client_id, client_secret })

export const askByAssertion = (client_assertion: string, more: Record<string, string> = {}) =>
  askForToken({ client_assertion_type: ASSERTION_TYPE, client_assertion, ...more })

export interface KeyPair {
  readonly alg: string
  readonly privateKey: CryptoKey
  readonly publicJwk: Record<string, string>
  readonly privateJwk: Record<string, string>
}

export async function newKeyPair(alg: string, modulusLength = 2048): Promise<KeyPair> {
  const { publicKey, privateKey } = await generateKeyPair(alg, { extractable: true, modulusLength })
  const [publicJwk, privateJwk] = await Promise.all([publicKey, privateKey].map((key) => exportJWK(key)))
  return {
    alg,
    privateKey,
    publicJwk: publicJwk as KeyPair['publicJwk'],
    privateJwk: privateJwk as KeyPair['publicJwk'],
  }
}

/** What a client signs to prove who it is; changed where it is to be a bad one, with null for what is left out. */
export function signAssertion(
  { alg, privateKey }: KeyPair,
  clientId: string,
  changed: Record<string, unknown> = {},
  header: object = {},
): Promise<string> {
  const now = Math.floor(Date.now() / 1000)
  const own = { iss: clientId, sub: clientId, aud: BASE_URL, jti: randomUUID(), iat: now, exp: now + 60 }
  const claims = Object.entries({ ...own, ...changed }).filter(([, value]) => value !== null)
  return new SignJWT(Object.fromEntries(claims) as JWTPayload)
    .setProtectedHeader({ alg, ...header })
    .sign(privateKey)
}
