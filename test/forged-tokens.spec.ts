import { createHmac, generateKeyPairSync, randomUUID, sign } from 'node:crypto'
import { beforeAll, describe, expect, inject, it } from 'vitest'
import { BASE_URL } from './support/base-url.ts'
import { request } from './support/client.ts'
import { newTenant, type Tenant } from './support/tenant.ts'
import { mintToken } from './support/tokens.ts'

const spelt = (value: unknown) =>
  Buffer.from(typeof value === 'string' ? value : JSON.stringify(value)).toString('base64url')
const { kid = '', d: _, ...publicJwk } = inject('stack').signingKey
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
const byStranger: Signer = (content) =>
  sign('sha256', Buffer.from(content), { key: stranger, dsaEncoding: 'ieee-p1363' }).toString('base64url')
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

/** `ES256`, and r and s are zero. */
const zeros = Buffer.alloc(64).toString('base64url')

describe('a token that our issuer did not sign', () => {
  it.each<[string, () => string]>([
    ['with the algorithm none', () => forged({ ...header(), alg: 'none' }, claims(), always('AA'))],
    ['with the algorithm nOnE', () => forged({ ...header(), alg: 'nOnE' }, claims(), always('AA'))],
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

describe('a token that our issuer signed', () => {
  const spelling: Record<string, string> = { A: 'B', Q: 'R', g: 'h', w: 'x' }

  it('is refused when its signature is spelt another way', async () => {
    const good = await mintToken(acme.id, 'client_a', 'jobs:read')
    const other = good.slice(0, -1) + spelling[good.at(-1) ?? '']

    expect((await read(good)).status).toBe(200)
    expect((await read(other)).status).toBe(401)
  })

  it.each([
    ['a tenant of another form', { tenant_id: '../acme' }],
    ['a tenant in other letters', { tenant_id: 'аcme' }],
    ['an empty tenant', { tenant_id: '' }],
    ['an object for a tenant', { tenant_id: {} }],
    ['an expiry that is text', { exp: '9999999999' }],
    ['an expiry in milliseconds', { exp: Date.now() + 600_000 }],
    ['an empty list of audiences', { aud: [] }],
    ['an audience that begins with ours', { aud: `${BASE_URL}/v1.evil.example` }],
    ['a list for an ID', { jti: ['a'] }],
    ['a scope that is a number', { scope: 1 }],
  ])('with %s is refused all the same', async (_, changed) => {
    expect((await read(await mintToken(acme.id, 'client_a', 'jobs:read', { claims: changed }))).status).toBe(
      401,
    )
  })
})
