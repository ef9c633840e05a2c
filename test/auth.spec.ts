import { randomUUID } from 'node:crypto'
import { beforeAll, describe, expect, it } from 'vitest'
import { Client, request } from './support/client.ts'
import { newTenant, operator, summarizeJob, type Tenant } from './support/tenant.ts'
import { mintToken, type TokenChange } from './support/tokens.ts'

let acme: Tenant
let credentials: { id: string; secret: string }
beforeAll(async () => {
  acme = await newTenant()
  const path = `/ops/v1/tenants/${acme.id}/clients`
  const { body } = await (await operator()).post(path, {
    name: 'auth spec',
    reason: 'a spec',
    scopes: ['jobs:read'],
  })
  credentials = { id: body.client_id, secret: body.client_secret }
})

const form = 'application/x-www-form-urlencoded'
const token = (parameters: Record<string, string>, headers: Record<string, string> = {}) =>
  request('POST', '/oauth/token', {
    headers: { 'Content-Type': form, ...headers },
    raw: new URLSearchParams(parameters).toString(),
  })
const grant = { grant_type: 'client_credentials' }
const posted = () => ({ client_id: credentials.id, client_secret: credentials.secret })
const basic = (id = credentials.id, secret = credentials.secret) => ({
  Authorization: `Basic ${btoa(`${encodeURIComponent(id)}:${encodeURIComponent(secret)}`)}`,
})

describe('the token endpoint', () => {
  it('gives a token to a client that authenticates by basic or by post', async () => {
    const empty = { ...grant, ...posted(), scope: '' }
    for (const answer of [
      await token({ ...grant, ...posted() }),
      await token(grant, basic()),
      await token(empty),
      await token({ ...grant, client_id: credentials.id, client_secret: '' }, basic()),
    ]) {
      expect(answer.status).toBe(200)
      expect(answer.body).toMatchObject({ token_type: 'Bearer', expires_in: 900, scope: 'jobs:read' })
      expect(answer.headers.get('Cache-Control')).toBe('no-store')
    }
  })

  it.each([
    ['a wrong secret', () => token({ ...grant, ...posted(), client_secret: 'wrong' }), 401, 'invalid_client'],
    ['a wrong secret by basic', () => token(grant, basic(credentials.id, 'wrong')), 401, 'invalid_client'],
    [
      'an unknown client',
      () => token({ ...grant, ...posted(), client_id: 'client_none' }),
      401,
      'invalid_client',
    ],
    ['no credentials', () => token(grant), 401, 'invalid_client'],
    ['malformed basic', () => token(grant, { Authorization: 'Basic !!!' }), 401, 'invalid_client'],
    ['credentials both ways', () => token({ ...grant, ...posted() }, basic()), 400, 'invalid_request'],
    ['no grant type', () => token(posted()), 400, 'invalid_request'],
    [
      'another grant type',
      () => token({ ...posted(), grant_type: 'password' }),
      400,
      'unsupported_grant_type',
    ],
    [
      'a scope it may not have',
      () => token({ ...grant, ...posted(), scope: 'jobs:write' }),
      400,
      'invalid_scope',
    ],
    [
      'an unknown scope',
      () => token({ ...grant, ...posted(), scope: 'jobs:read\tjobs:write' }),
      400,
      'invalid_scope',
    ],
    [
      'an ID of 4 KiB',
      () => token({ ...grant, ...posted(), client_id: 'x'.repeat(4096) }),
      401,
      'invalid_client',
    ],
    [
      'an ID with a zero byte',
      () => token({ ...grant, ...posted(), client_id: 'client\0' }),
      401,
      'invalid_client',
    ],
    [
      'a secret of several lines',
      () => token({ ...grant, ...posted(), client_secret: 'a\n\0b' }),
      401,
      'invalid_client',
    ],
    [
      'an ID without a secret',
      () => token({ ...grant, client_id: credentials.id, client_secret: '' }),
      401,
      'invalid_client',
    ],
    [
      'a bearer token for credentials',
      () => token(grant, { Authorization: 'Bearer a.b.c' }),
      401,
      'invalid_client',
    ],
    ['an empty grant type', () => token({ ...posted(), grant_type: '' }), 400, 'invalid_request'],
    [
      'two different clients',
      () => token({ ...grant, client_id: 'client_x' }, basic()),
      400,
      'invalid_request',
    ],
    [
      'a body over 8 KiB',
      () => token({ ...grant, ...posted(), pad: 'x'.repeat(9000) }),
      400,
      'invalid_request',
    ],
    [
      'JSON',
      () => token({ ...grant, ...posted() }, { 'Content-Type': 'application/json' }),
      400,
      'invalid_request',
    ],
  ])('refuses %s as RFC 6749 says', async (_, ask, status, error) => {
    const answer = await ask()

    expect([answer.status, answer.body]).toEqual([status, expect.objectContaining({ error })])
    expect(answer.headers.get('WWW-Authenticate') !== null).toBe(status === 401)
    expect(answer.headers.get('Cache-Control')).toBe('no-store')
  })
})

const minted = (change?: TokenChange) => mintToken(acme.id, credentials.id, 'jobs:read', change)

const read = (bearer: string) => request('GET', '/v1/jobs', { headers: { Authorization: bearer } })

describe('a bearer token', () => {
  it('that our issuer signed is accepted, whatever the case of the scheme', async () => {
    expect((await read(`Bearer ${await minted()}`)).status).toBe(200)
    expect((await read(`bearer  ${await minted()}`)).status).toBe(200)
  })

  it.each([
    ['of another issuer', { claims: { iss: 'https://evil.example' } }],
    ['for another audience', { claims: { aud: 'https://api.gateway.test/ops/v1' } }],
    ['without an audience', { drop: ['aud'] }],
    ['that has expired', { claims: { exp: 1, iat: 0 } }],
    ['without an expiry', { drop: ['exp'] }],
    ['that lives too long', { claims: { exp: 9_999_999_999 } }],
    ['that is not yet valid', { claims: { nbf: 9_999_999_999 } }],
    ['without a tenant', { drop: ['tenant_id'] }],
    ['with a tenant of null', { claims: { tenant_id: null } }],
    ['with a list of tenants', { claims: { tenant_id: ['acme'] } }],
    ['with a tenant of __proto__', { claims: { tenant_id: '__proto__' } }],
    ['of a tenant that does not exist', { claims: { tenant_id: 'nobody' } }],
    ['whose subject is another client', { claims: { sub: 'client_other' } }],
    ['with a list of scopes', { claims: { scope: ['jobs:read'] } }],
    ['without a client', { drop: ['client_id'] }],
    ['of another type', { header: { typ: 'JWT' } }],
    ['with an unknown key', { header: { kid: 'other' } }],
    ['without a key', { header: { kid: undefined } }],
    ['that is bound to a key', { claims: { cnf: { jkt: 'x' } } }],
  ])('%s is refused without a word on why', async (_, change) => {
    const answer = await read(`Bearer ${await minted(change)}`)

    expect([answer.status, answer.body.type]).toEqual([
      401,
      'https://api.gateway.test/problems/unauthenticated',
    ])
    expect(answer.headers.get('WWW-Authenticate')).toBe(
      'Bearer realm="async-ai-gateway", error="invalid_token"',
    )
  })

  it.each([
    [
      'with another payload',
      (good: string) => good.replace(/\.[^.]+\./, `.${btoa('{"a":1}').replaceAll('=', '')}.`),
    ],
    ['without a signature', (good: string) => good.replace(/[^.]+$/, '')],
    ['with padding', (good: string) => `${good}==`],
    ['of two parts', (good: string) => good.replace(/\.[^.]+$/, '')],
    ['twice', (good: string) => `${good}, Bearer ${good}`],
    ['of 9 KiB', (good: string) => good + 'a'.repeat(9000)],
    ['that is none', () => 'nonsense'],
  ])('%s is refused', async (_, spoil) => {
    expect((await read(`Bearer ${spoil(await minted())}`)).status).toBe(401)
  })

  it('that is missing is asked for without an error code', async () => {
    const { status, headers, body } = await request('GET', '/v1/jobs')

    expect([status, body.type]).toEqual([401, 'https://api.gateway.test/problems/unauthenticated'])
    expect(headers.get('WWW-Authenticate')).toBe('Bearer realm="async-ai-gateway"')
  })

  it('without the scope is refused with the scope named, and uses up no key', async () => {
    const reader = new Client(await minted())
    const headers = { 'Idempotency-Key': randomUUID() }

    const answer = await reader.post('/v1/jobs', summarizeJob(), headers)

    expect([answer.status, answer.body.type]).toEqual([
      403,
      'https://api.gateway.test/problems/insufficient-scope',
    ])
    expect(answer.headers.get('WWW-Authenticate')).toMatch(/error="insufficient_scope", scope="jobs:write"$/)
  })

  it('without any scope lacks the one that is needed', async () => {
    expect((await read(`Bearer ${await minted({ drop: ['scope'] })}`)).status).toBe(403)
  })

  it.each(['jobs:read2', 'JOBS:READ', 'jobs:read,jobs:write', 'jobs:read\tjobs:write'])(
    'with the scope %j has not the scope jobs:read',
    async (scope) => {
      expect((await read(`Bearer ${await minted({ claims: { scope } })}`)).status).toBe(403)
    },
  )
})
