import { randomUUID } from 'node:crypto'
import { beforeAll, describe, expect, it } from 'vitest'
import {
  ASSERTION_TYPE,
  askByAssertion,
  askForToken,
  clientsOf,
  createClient,
  type KeyPair,
  newKeyPair,
  signAssertion,
} from './support/api-clients.ts'
import { BASE_URL } from './support/base-url.ts'
import { type Body, request } from './support/client.ts'
import { inDirectory } from './support/control.ts'
import { newTenant, operator, type Tenant } from './support/tenant.ts'

let acme: Tenant
let key: KeyPair
let stranger: KeyPair
let client: Body
beforeAll(async () => {
  acme = await newTenant()
  ;[key, stranger] = await Promise.all([newKeyPair('ES256'), newKeyPair('ES256')])
  client = await createClient(acme, { jwks: { keys: [key.publicJwk] }, scopes: ['jobs:read'] })
})

const assertion = (changed?: Record<string, unknown>, header?: object) =>
  signAssertion(key, client.client_id, changed, header)

describe('a client with a key of its own', () => {
  it('has no secret, gets a token for an assertion that it signs, and reads with it', async () => {
    expect(client.client_secret).toBeNull()

    const { status, body } = await askByAssertion(await assertion())

    expect([status, body]).toEqual([
      200,
      expect.objectContaining({ token_type: 'Bearer', scope: 'jobs:read' }),
    ])
    const { access_token } = body as unknown as { access_token: string }
    const headers = { Authorization: `Bearer ${access_token}` }
    expect((await request('GET', '/v1/jobs', { headers })).status).toBe(200)
  })

  it('may name itself beside its assertion, and nobody else', async () => {
    const { client_id } = client

    expect((await askByAssertion(await assertion(), { client_id })).status).toBe(200)
    expect((await askByAssertion(await assertion(), { client_id: 'client_x' })).status).toBe(400)
  })

  it('proves who it is but once by each assertion, also when it sends it twice at once', async () => {
    const one = await assertion()

    const answers = await Promise.all([askByAssertion(one), askByAssertion(one), askByAssertion(one)])

    expect(answers.map(({ status }) => status).toSorted()).toEqual([200, 401, 401])
    expect((await askByAssertion(one)).body).toMatchObject({
      error: 'invalid_client',
      error_description: expect.stringContaining('jti'),
    })
  })

  it('shares no jti with others', async () => {
    const other = await createClient(acme, { jwks: { keys: [key.publicJwk] } })
    const jti = randomUUID()

    expect((await askByAssertion(await assertion({ jti }))).status).toBe(200)
    expect((await askByAssertion(await signAssertion(key, other.client_id, { jti }))).status).toBe(200)
  })

  it('has no secret to use in its place', async () => {
    const answer = await askForToken({ client_id: client.client_id, client_secret: 'null' })

    expect([answer.status, answer.body]).toEqual([401, expect.objectContaining({ error: 'invalid_client' })])
  })
})

describe('an assertion', () => {
  it('for another issuer is refused, and the client is told', async () => {
    const { status, headers, body } = await askByAssertion(await assertion({ aud: 'https://evil.example' }))

    expect([status, body]).toEqual([
      401,
      { error: 'invalid_client', error_description: expect.stringContaining('aud must be the issuer') },
    ])
    expect(headers.get('WWW-Authenticate')).not.toBeNull()
    expect(headers.get('Cache-Control')).toBe('no-store')
  })

  it.each<[string, () => Promise<string> | string]>([
    ['of a stranger', () => signAssertion(stranger, client.client_id)],
    ['of a client that is not there', () => signAssertion(key, 'client_none')],
    ['of __proto__', () => signAssertion(key, '__proto__')],
    ['that is none', () => 'nonsense'],
    ['that is an access token', async () => (await operator()).token],
  ])('%s is refused without a word on why', async (_, text) => {
    const { status, body } = await askByAssertion(await text())

    expect([status, body]).toEqual([401, expect.objectContaining({ error: 'invalid_client' })])
    expect(JSON.stringify(body)).not.toMatch(/signature|aud|exp|jti/)
  })

  it.each<[string, () => Record<string, string>, number, string]>([
    ['without its type', () => ({}), 401, 'invalid_client'],
    ['under another type', () => ({ client_assertion_type: 'urn:x' }), 401, 'invalid_client'],
    [
      'beside a secret',
      () => ({ client_assertion_type: ASSERTION_TYPE, client_secret: 'x' }),
      400,
      'invalid_request',
    ],
  ])('%s is refused', async (_, more, status, error) => {
    const answer = await askForToken({ client_assertion: await assertion(), ...more() })

    expect([answer.status, answer.body]).toEqual([status, expect.objectContaining({ error })])
  })

  it('twice in one request, or beside other credentials, is refused', async () => {
    const basic = { Authorization: `Basic ${btoa(`${client.client_id}:x`)}` }
    const both = await askForToken(
      { client_assertion: await assertion(), client_assertion_type: ASSERTION_TYPE },
      basic,
    )
    const raw = `grant_type=client_credentials&client_assertion_type=${ASSERTION_TYPE}&client_assertion=a&client_assertion=b`
    const twice = await request('POST', '/oauth/token', {
      headers: { 'Content-Type': 'application/x-www-form-urlencoded' },
      raw,
    })

    expect([both.status, both.body, twice.status, twice.body]).toEqual([
      400,
      expect.objectContaining({ error: 'invalid_request' }),
      400,
      expect.objectContaining({ error: 'invalid_request' }),
    ])
  })

  it('is no access token', async () => {
    const bearer = await assertion(
      { aud: `${BASE_URL}/v1`, tenant_id: acme.id, client_id: client.client_id, scope: 'jobs:read' },
      { typ: 'at+jwt', kid: 'x' },
    )

    expect(
      (await request('GET', '/v1/jobs', { headers: { Authorization: `Bearer ${bearer}` } })).status,
    ).toBe(401)
  })
})

describe("a client's key", () => {
  it.each(['EdDSA', 'Ed25519', 'RS256', 'PS256'])('may be for %s', async (alg) => {
    const pair = await newKeyPair(alg)
    const { client_id } = await createClient(acme, {
      jwks: { keys: [{ ...pair.publicJwk, alg, kid: 'mine', use: 'sig' }] },
    })

    expect((await askByAssertion(await signAssertion(pair, client_id, {}, { kid: 'mine' }))).status).toBe(200)
  })

  it('is stored without anything that is not part of it', async () => {
    const { client_id } = await createClient(acme, {
      jwks: { keys: [{ ...key.publicJwk, ext: true, key_ops: ['verify'] }] },
    })

    const [row] = await inDirectory<{ jwks: string }>('select jwks from clients where id = ?', client_id)
    expect(JSON.parse(row?.jwks ?? '')).toEqual({ keys: [{ ...key.publicJwk, alg: 'ES256' }] })
  })

  it.each<[string, () => Record<string, string>, string]>([
    ['private', () => key.privateJwk, '/jwks/keys/0/d'],
    ['symmetric', () => ({ kty: 'oct', k: 'c2VjcmV0' }), '/jwks/keys/0/kty'],
    ['a point off the curve', () => ({ ...key.publicJwk, y: key.publicJwk.x ?? '' }), '/jwks/keys/0'],
  ])('is refused when it is %s', async (_, jwk, pointer) => {
    const body = { name: 'spec', reason: 'a spec', jwks: { keys: [jwk()] } }

    const answer = await (await operator()).post(clientsOf(acme), body)

    expect([answer.status, answer.body.errors[0]?.pointer]).toEqual([400, pointer])
    expect(JSON.stringify(answer.body)).not.toContain(key.privateJwk.d)
  })
})
