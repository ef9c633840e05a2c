import { randomUUID } from 'node:crypto'
import { describe, expect, inject, it } from 'vitest'
import { BASE_URL } from './support/base-url.ts'
import { Client } from './support/client.ts'
import { type Issuer, newIssuer, newKey, readJobs, trust } from './support/issuer.ts'
import { newTenant, summarizeJob, type Tenant } from './support/tenant.ts'
import { mintToken, type TokenChange } from './support/tokens.ts'

const status = async (token: Promise<string>) => (await readJobs(await token)).status

async function trusted(more: object = {}): Promise<{ acme: Tenant; issuer: Issuer }> {
  const [acme, issuer] = await Promise.all([newTenant(), newIssuer()])
  await trust(acme, issuer, more)
  return { acme, issuer }
}

describe('a token of an issuer that is trusted for a tenant', () => {
  it('is good there, for a client of its own', async () => {
    const { acme, issuer } = await trusted()
    const client = new Client(await issuer.token(acme.id))

    const { status, body } = await client.post('/v1/jobs', summarizeJob(), {
      'Idempotency-Key': randomUUID(),
    })

    expect(status).toBe(202)
    expect(body).toMatchObject({ created_by: expect.stringMatching(/^iss_[0-9a-z]{28}:their client$/) })
    expect(await acme.job(body.id)).toMatchObject({ id: body.id })
  })

  it.each(['ES384', 'EdDSA', 'RS256', 'PS256'])('may be signed by %s', async (alg) => {
    const [acme, issuer] = await Promise.all([newTenant(), newIssuer(await newKey(alg))])
    await trust(acme, issuer)

    expect(await status(issuer.token(acme.id))).toBe(200)
  })

  it('shares no idempotency key with a client of ours that has its name', async () => {
    const { acme, issuer } = await trusted()
    const ours = new Client(await mintToken(acme.id, 'client_same', 'jobs:write'))
    const theirs = new Client(await issuer.token(acme.id, { claims: { client_id: 'client_same' } }))
    const headers = { 'Idempotency-Key': randomUUID() }

    const [first, second] = [
      await ours.post('/v1/jobs', summarizeJob(), headers),
      await theirs.post('/v1/jobs', summarizeJob(), headers),
    ]

    expect([first.status, second.status]).toEqual([202, 202])
    expect(second.body.id).not.toBe(first.body.id)
  })

  it('may have the audience that it was registered with, and then no other', async () => {
    const { acme, issuer } = await trusted({ audience: 'api://acme/gateway' })

    expect(await status(issuer.token(acme.id, { claims: { aud: 'api://acme/gateway' } }))).toBe(200)
    expect(await status(issuer.token(acme.id))).toBe(401)
  })

  it('is good for what it says and its issuer may grant, and for nothing else', async () => {
    const { acme, issuer } = await trusted({ scopes: ['jobs:read', 'webhooks:read'] })
    const says = (scope: string) => issuer.token(acme.id, { claims: { scope } })
    const can = async (token: string, method: string, path: string) =>
      (await new Client(token).request(method, path)).status

    const all = await says('jobs:read jobs:write ops:read ops:write')
    expect(await can(all, 'GET', '/v1/jobs')).toBe(200)
    expect(await can(all, 'POST', '/v1/jobs')).toBe(403)
    expect(await can(all, 'GET', '/v1/events')).toBe(403)
    expect(await can(await says(''), 'GET', '/v1/jobs')).toBe(403)
    expect(await can(await says('webhooks:read'), 'GET', '/v1/events')).toBe(200)
  })

  it("is never an operator's", async () => {
    const { acme, issuer } = await trusted()
    const claims = { aud: `${BASE_URL}/ops/v1`, scope: 'ops:read', tenant_id: undefined }
    const tokens = [await issuer.token(acme.id), await issuer.token(acme.id, { claims })]

    for (const token of tokens) {
      const { status, headers } = await new Client(token).get('/ops/v1/tenants')
      expect([status, headers.get('WWW-Authenticate')]).toEqual([
        401,
        expect.stringContaining('invalid_token'),
      ])
    }
  })

  it('is refused without a word on why, whatever is wrong with it', async () => {
    const { acme, issuer } = await trusted()
    const other = await newTenant()
    const now = Math.floor(Date.now() / 1000)
    const [own, secret] = [
      issuer.keys[0] ?? {},
      { kty: 'oct', k: 'c2VjcmV0c2VjcmV0c2VjcmV0c2VjcmV0c2VjcmV0', alg: 'HS256' },
    ]
    const bad: Record<string, TokenChange> = {
      'another tenant': { claims: { tenant_id: other.id } },
      'no tenant': { drop: ['tenant_id'] },
      'a list of tenants': { claims: { tenant_id: [acme.id] } },
      'the audience of operators': { claims: { aud: `${BASE_URL}/ops/v1` } },
      'an audience of its own': { claims: { aud: issuer.url } },
      'no audience': { drop: ['aud'] },
      'the type of an ID token': { header: { typ: 'JWT' } },
      'no type': { header: { typ: undefined } },
      'an expiry in the past': { claims: { iat: now - 600, exp: now - 60 } },
      'no expiry': { drop: ['exp'] },
      'more than an hour to live': { claims: { exp: now + 3700 } },
      'an expiry in milliseconds': { claims: { exp: (now + 600) * 1000 } },
      'no time of issue': { drop: ['iat'] },
      'an issue in the future': { claims: { iat: now + 300, exp: now + 600 } },
      'an issue two hours ago': { claims: { iat: now - 7200, exp: now + 600 } },
      'no client': { drop: ['client_id'] },
      'a client with a line break': { claims: { client_id: 'a\nb' } },
      'no subject': { drop: ['sub'] },
      'no ID': { drop: ['jti'] },
      'a list of scopes': { claims: { scope: ['jobs:read'] } },
      'a key that it is bound to': { claims: { cnf: { jkt: 'x' } } },
      'no key': { header: { kid: undefined } },
      'a list of keys': { header: { kid: [own.kid ?? ''] } },
      'its issuer in a list': { claims: { iss: [issuer.url] } },
      'its issuer with a slash': { claims: { iss: `${issuer.url}/` } },
    }
    const tokens = Object.entries(bad).map(async ([what, change]) => [
      what,
      await issuer.token(acme.id, change),
    ])
    const stranger = await newKey('ES256', own.kid)
    tokens.push(issuer.token(acme.id, {}, stranger).then((token) => ['the key of a stranger', token]))
    tokens.push(
      issuer.token(acme.id, { header: { kid: own.kid } }, secret).then((token) => ['a secret', token]),
    )

    for (const [what, token] of await Promise.all(tokens)) {
      const { status, headers, body } = await readJobs(token ?? '')
      expect([what, status, body.type]).toEqual([what, 401, `${BASE_URL}/problems/unauthenticated`])
      expect(headers.get('WWW-Authenticate')).toBe('Bearer realm="async-ai-gateway", error="invalid_token"')
    }
    expect(await status(issuer.token(acme.id))).toBe(200)
  })
})

describe('issuers', () => {
  it('cannot be crossed', async () => {
    const [one, two] = [await trusted(), await trusted()]
    const [keyOfOne, keyOfTwo] = [one.issuer.keys[0] ?? {}, two.issuer.keys[0] ?? {}]
    const ours = inject('stack').signingKey

    const all = await Promise.all([
      status(one.issuer.token(one.acme.id)),
      status(two.issuer.token(two.acme.id)),
      status(one.issuer.token(two.acme.id)),
      status(two.issuer.token(one.acme.id)),
      status(one.issuer.token(one.acme.id, {}, keyOfTwo)),
      status(two.issuer.token(two.acme.id, {}, keyOfOne)),
      status(one.issuer.token(one.acme.id, { claims: { iss: BASE_URL } })),
      status(one.issuer.token(one.acme.id, {}, { ...ours, alg: 'ES256' })),
      status(one.issuer.token(one.acme.id, { header: { kid: ours.kid } })),
    ])

    expect(all).toEqual([200, 200, ...Array(7).fill(401)])
  })

  it('are left alone when nobody registered the issuer', async () => {
    const [acme, issuer] = await Promise.all([newTenant(), newIssuer()])

    expect([await status(issuer.token(acme.id)), await status(issuer.token(acme.id))]).toEqual([401, 401])
    expect(issuer.asked).toEqual([])
  })
})
