import {
  createHmac,
  createPrivateKey,
  generateKeyPairSync,
  type KeyObject,
  randomUUID,
  sign,
} from 'node:crypto'
import { beforeAll, describe, expect, inject, it } from 'vitest'
import { BASE_URL } from './support/base-url.ts'
import { request } from './support/client.ts'
import { newTenant, type Tenant } from './support/tenant.ts'
import { mintToken } from './support/tokens.ts'

const spelt = (value: unknown) =>
  Buffer.from(typeof value === 'string' ? value : JSON.stringify(value)).toString('base64url')
const { signingKey } = inject('stack')
const { kid = '', d: _, ...publicJwk } = signingKey
const stranger = generateKeyPairSync('ec', { namedCurve: 'P-256' }).privateKey

let acme: Tenant
beforeAll(async () => {
  acme = await newTenant()
})

const header = (more: object = {}) => ({ alg: 'ES256', typ: 'at+jwt', kid, ...more })

function claims(more: object = {}) {
  const now = Math.floor(Date.now() / 1000)
  const own = {
    sub: 'client_a',
    client_id: 'client_a',
    tenant_id: acme.id,
    scope: 'jobs:read',
    jti: randomUUID(),
  }
  return { iss: BASE_URL, aud: `${BASE_URL}/v1`, iat: now, exp: now + 600, ...own, ...more }
}

type Signer = (content: string) => string
const signedBy =
  (key: KeyObject, dsaEncoding: 'ieee-p1363' | 'der' = 'ieee-p1363'): Signer =>
  (content) =>
    sign('sha256', Buffer.from(content), { key, dsaEncoding }).toString('base64url')
const byStranger = signedBy(stranger)
const ourKey = createPrivateKey({ key: signingKey, format: 'jwk' })
const byUs = signedBy(ourKey)
const hmacWith =
  (secret: string): Signer =>
  (content) =>
    createHmac('sha256', secret).update(content).digest('base64url')
const always =
  (signature: string): Signer =>
  () =>
    signature

function forged(head: unknown, payload: unknown, signer: Signer): string {
  const content = `${spelt(head)}.${spelt(payload)}`
  return `${content}.${signer(content)}`
}

const read = (token: string) => request('GET', '/v1/jobs', { headers: { Authorization: `Bearer ${token}` } })

/** Too weak a key, were RSA taken at all. */
const byRsa = signedBy(generateKeyPairSync('rsa', { modulusLength: 1024 }).privateKey)

/** `ES256`, and r and s are zero. */
const zeros = Buffer.alloc(64).toString('base64url')

describe('a token that our issuer did not sign', () => {
  it.each<[string, () => string]>([
    ['with the algorithm none', () => forged({ ...header(), alg: 'none' }, claims(), always('AA'))],
    ['with the algorithm nOnE', () => forged({ ...header(), alg: 'nOnE' }, claims(), always('AA'))],
    ['with the algorithm None', () => forged({ ...header(), alg: 'None' }, claims(), always('AA'))],
    ['with an empty algorithm', () => forged({ ...header(), alg: '' }, claims(), byStranger)],
    ['with an algorithm of RSA', () => forged({ ...header(), alg: 'RS256' }, claims(), byRsa)],
    [
      'with the algorithm constructor',
      () => forged({ ...header(), alg: 'constructor' }, claims(), byStranger),
    ],
    ['without an algorithm', () => forged({ typ: 'at+jwt', kid }, claims(), byStranger)],
    ['with a list of algorithms', () => forged({ ...header(), alg: ['ES256'] }, claims(), byStranger)],
    ['with an algorithm of __proto__', () => forged({ ...header(), alg: '__proto__' }, claims(), byStranger)],
    [
      'whose secret is the public key',
      () => forged({ ...header(), alg: 'HS256' }, claims(), hmacWith(JSON.stringify(publicJwk))),
    ],
    ['whose secret is empty', () => forged({ ...header(), alg: 'HS256' }, claims(), hmacWith(''))],
    ['of another curve', () => forged({ ...header(), alg: 'ES384' }, claims(), byStranger)],
    ['with a signature of zeros', () => forged(header(), claims(), always(zeros))],
    ['with the signature of a stranger, under our key', () => forged(header(), claims(), byStranger)],
    ["with a stranger's key inside", () => forged(header({ jwk: publicJwk }), claims(), byStranger)],
    ['with a key to be fetched', () => forged(header({ jku: 'http://127.0.0.1:9/' }), claims(), byStranger)],
    ['with a key of __proto__', () => forged(header({ kid: '__proto__' }), claims(), byStranger)],
    ['with a list of keys', () => forged(header({ kid: [kid] }), claims(), byStranger)],
    [
      'with what must be understood, and is not',
      () => forged(header({ crit: ['x'], x: 1 }), claims(), byStranger),
    ],
    ['whose payload is a list', () => forged(header(), [claims()], byStranger)],
    ['whose header is none', () => forged('header', claims(), byStranger)],
  ])('%s is refused without a word on why', async (_, token) => {
    const { status, headers, body } = await read(token())

    expect([status, body.type]).toEqual([401, `${BASE_URL}/problems/unauthenticated`])
    expect(headers.get('WWW-Authenticate')).toBe('Bearer realm="async-ai-gateway", error="invalid_token"')
  })
})

/** Signed as it is spelt, whatever that is. */
const spoken = (head: unknown, payload: unknown) => forged(head, payload, byUs)
const ours = (more: object = {}, head: object = {}) => spoken(header(head), claims(more))
const without = (name: string) => {
  const { [name]: _, ...rest } = claims() as Record<string, unknown>
  return spoken(header(), rest)
}
/** Of JSON that no serializer writes. */
const ending = (exp: string) =>
  spoken(header(), JSON.stringify(claims({ exp: 0 })).replace('"exp":0', `"exp":${exp}`))
const now = () => Math.floor(Date.now() / 1000)

describe('a token that our issuer signed', () => {
  const spelling: Record<string, string> = { A: 'B', Q: 'R', g: 'h', w: 'x' }

  it('is refused when its signature is spelt another way', async () => {
    const good = await mintToken(acme.id, 'client_a', 'jobs:read')
    const other = good.slice(0, -1) + spelling[good.at(-1) ?? '']

    expect((await read(good)).status).toBe(200)
    expect((await read(other)).status).toBe(401)
  })

  it.each<[string, () => string]>([
    ['a tenant of another form', () => ours({ tenant_id: '../acme' })],
    ['a tenant in other letters', () => ours({ tenant_id: 'аcme' })],
    ['a tenant in capitals', () => ours({ tenant_id: acme.id.toUpperCase() })],
    ['a tenant of constructor', () => ours({ tenant_id: 'constructor' })],
    ['an empty tenant', () => ours({ tenant_id: '' })],
    ['an object for a tenant', () => ours({ tenant_id: {} })],
    ['an expiry that is text', () => ours({ exp: '9999999999' })],
    ['an expiry of null', () => ours({ exp: null })],
    ['a negative expiry', () => ours({ exp: -1 })],
    ['an expiry in milliseconds', () => ours({ exp: Date.now() + 600_000 })],
    ['an expiry that never comes', () => ending('1e400')],
    ['an expiry that is the greatest number', () => ending('9007199254740991')],
    ['an expiry an hour ahead', () => ours({ exp: now() + 3600 })],
    ['a time of issue in the future', () => ours({ iat: now() + 300, exp: now() + 600 })],
    ['a time of issue that is text', () => ours({ iat: String(now()) })],
    ['no time of issue', () => without('iat')],
    ['a start that is text', () => ours({ nbf: String(now()) })],
    ['no ID', () => without('jti')],
    ['a list for an ID', () => ours({ jti: ['a'] })],
    ['no subject', () => without('sub')],
    ['an empty list of audiences', () => ours({ aud: [] })],
    ['an object for an audience', () => ours({ aud: { '0': `${BASE_URL}/v1` } })],
    ['an audience that begins with ours', () => ours({ aud: `${BASE_URL}/v1.evil.example` })],
    ['the issuer of a staging environment', () => ours({ iss: 'https://staging.gateway.test' })],
    ['an issuer with a slash too many', () => ours({ iss: `${BASE_URL}/` })],
    ['no issuer', () => without('iss')],
    ['a scope that is a number', () => ours({ scope: 1 })],
    ['an empty binding', () => ours({ cnf: {} })],
    ['a payload that is said not to be encoded', () => ours({}, { b64: false })],
    ['the same, said to be critical', () => ours({}, { b64: false, crit: ['b64'] })],
    ['an expiry that is critical', () => ours({}, { crit: ['exp'], exp: 1 })],
    ['__proto__ for what is critical', () => ours({}, { crit: ['__proto__'] })],
    ['a number for a key', () => ours({}, { kid: 1 })],
    ['null for a key', () => ours({}, { kid: null })],
    ['a token in the place of its payload', () => spoken(header({ cty: 'JWT' }), ours())],
    ['null for a payload', () => spoken(header(), 'null')],
    ['a list for a header', () => spoken([header()], claims())],
    ['a signature in DER', () => forged(header(), claims(), signedBy(ourKey, 'der'))],
    ['the type of an assertion', () => ours({}, { typ: 'client-authentication+jwt' })],
  ])('with %s is refused all the same', async (_, token) => {
    const { status, headers } = await read(token())

    expect(status).toBe(401)
    expect(headers.get('WWW-Authenticate')).toBe('Bearer realm="async-ai-gateway", error="invalid_token"')
  })

  it.each<[string, () => string]>([
    ['as it is', () => ours()],
    ['with its type in capitals', () => ours({}, { typ: 'AT+JWT' })],
    ['with its type in full', () => ours({}, { typ: 'application/at+jwt' })],
    ['for us among others', () => ours({ aud: [`${BASE_URL}/v1`, 'https://other.example'] })],
    ['with members that mean nothing here', () => ours({ email: 'a@example.com' }, { zip: 'DEF' })],
  ])('is accepted %s', async (_, token) => {
    expect((await read(token())).status).toBe(200)
  })
})
