import { randomUUID } from 'node:crypto'
import { beforeAll, describe, expect, inject, it } from 'vitest'
import { mintOperator } from '../scripts/support/operator.ts'
import {
  askByAssertion,
  askBySecret,
  clientsOf,
  createClient,
  newKeyPair,
  signAssertion,
} from './support/api-clients.ts'
import { type Body, Client, fetchToken } from './support/client.ts'
import { inDirectory } from './support/control.ts'
import { expectStatus, newTenant, operator, type Tenant } from './support/tenant.ts'
import { mintToken } from './support/tokens.ts'

let acme: Tenant
let ops: Client
beforeAll(async () => {
  acme = await newTenant()
  ops = await operator()
})

const reason = 'a spec'
const statusOf = async (id: string, secret: string) => (await askBySecret(id, secret)).status
const rotate = (client: Body, body: object = {}, headers = {}, path = clientsOf(acme)) =>
  ops.post(`${path}/${client.client_id}/rotate`, { reason, ...body }, headers)
const disable = (client: Body, headers = {}, path = clientsOf(acme)) =>
  ops.post(`${path}/${client.client_id}/disable`, { reason }, headers)

describe("a tenant's clients", () => {
  it('are listed in pages, newest first, without secrets', async () => {
    const globex = await newTenant()
    const [first, second] = [await createClient(globex, { name: 'first' }), await createClient(globex)]
    await createClient(acme)

    const { body: page } = await ops.get(`${clientsOf(globex)}?limit=1`)
    const { body: rest } = await ops.get(`${clientsOf(globex)}?limit=1&cursor=${page.next_cursor}`)

    expect([...page.data, ...rest.data].map(({ client_id }) => client_id)).toEqual([
      second.client_id,
      first.client_id,
    ])
    expect([page.has_more, rest.has_more]).toEqual([true, false])
    const { client_secret, ...shown } = first
    expect(rest.data[0]).toEqual({ ...shown, former_secrets_until: null, disabled_at: null })
    expect((await ops.get(`${clientsOf(globex)}/${first.client_id}`)).body).toEqual(rest.data[0])
    expect((await ops.get(`${clientsOf(acme)}/${first.client_id}`)).status).toBe(404)
    expect(JSON.stringify([page, rest])).not.toContain('secret_hash')
    expect((await ops.get(`${clientsOf(acme)}?cursor=${page.next_cursor}`)).status).toBe(400)
    expect((await ops.get('/ops/v1/tenants/nobody/clients')).status).toBe(404)
  })

  it('are for operators only', async () => {
    for (const answer of [
      await acme.get(clientsOf(acme)),
      await acme.client.post(`${clientsOf(acme)}/x/rotate`, { reason }),
      await acme.client.post('/ops/v1/clients/x/disable', { reason }),
    ])
      expect(answer.status).toBe(401)
  })
})

describe('a rotation', () => {
  it('gives a new secret, and leaves the older ones good for the overlap, however often an answer is lost', async () => {
    const client = await createClient(acme)

    const lost = await expectStatus(200, rotate(client))
    const { body } = await expectStatus(200, rotate(client, { overlap_seconds: 3600 }))

    expect(body.client_secret).toMatch(/^gws_/)
    for (const secret of [client.client_secret, lost.body.client_secret, body.client_secret])
      expect(await statusOf(client.client_id, secret)).toBe(200)
    const { data } = (await ops.get(clientsOf(acme))).body
    const until = (data as unknown as Record<string, string>[])[0]?.former_secrets_until ?? ''
    expect(Date.parse(until) - Date.now()).toBeGreaterThan(3_500_000)
    expect(Date.parse(until) - Date.now()).toBeLessThanOrEqual(3_600_000)
  })

  it('without an overlap ends all older secrets at once', async () => {
    const client = await createClient(acme)
    const { body: second } = await rotate(client)

    const { body: third } = await expectStatus(200, rotate(client, { overlap_seconds: 0 }))

    expect(await statusOf(client.client_id, third.client_secret)).toBe(200)
    for (const secret of [client.client_secret, second.client_secret])
      expect(await statusOf(client.client_id, secret)).toBe(401)
  })

  it('is done once under a key, and its secret is shown once', async () => {
    const client = await createClient(acme)
    const headers = { 'Idempotency-Key': randomUUID() }

    const first = await rotate(client, {}, headers)
    const replay = await rotate(client, {}, headers)

    expect(replay.body).toEqual({ ...first.body, client_secret: null })
    expect(replay.headers.get('Idempotency-Replayed')).toBe('true')
    expect(await statusOf(client.client_id, first.body.client_secret)).toBe(200)
    expect((await rotate(client, { overlap_seconds: 0 }, headers)).status).toBe(422)
    const acts = await inDirectory(
      'select reason from audit_log where action = ? and target = ?',
      'client.rotate',
      client.client_id,
    )
    expect(acts).toEqual([{ reason }])
  })

  it('takes a client from its secret to keys, and from keys to others', async () => {
    const [one, two] = [await newKeyPair('ES256'), await newKeyPair('ES256')]
    const client = await createClient(acme)
    const id = client.client_id

    const { body } = await expectStatus(200, rotate(client, { jwks: { keys: [one.publicJwk] } }))
    expect(body.client_secret).toBeNull()
    expect(await statusOf(id, client.client_secret)).toBe(200)
    expect((await askByAssertion(await signAssertion(one, id))).status).toBe(200)

    await expectStatus(200, rotate(client, { jwks: { keys: [two.publicJwk] }, overlap_seconds: 0 }))
    expect(await statusOf(id, client.client_secret)).toBe(401)
    expect((await askByAssertion(await signAssertion(one, id))).status).toBe(401)
    expect((await askByAssertion(await signAssertion(two, id))).status).toBe(200)

    const without = await rotate(client)
    expect([without.status, without.body.errors[0]?.pointer]).toEqual([400, '/jwks'])
  })

  it('takes no more secrets than can be compared', async () => {
    const client = await createClient(acme)
    for (let times = 0; times < 9; times++) await expectStatus(200, rotate(client))

    const tenth = await rotate(client)

    expect([tenth.status, tenth.body.errors[0]?.pointer]).toEqual([400, '/overlap_seconds'])
    expect((await rotate(client, { overlap_seconds: 0 })).status).toBe(200)
  })

  it.each([
    ['no reason', { reason: undefined }, '/reason'],
    ['an overlap that is longer than a week', { overlap_seconds: 604_801 }, '/overlap_seconds'],
    ['a negative overlap', { overlap_seconds: -1 }, '/overlap_seconds'],
    ['an unknown member', { secret: 'mine' }, '/secret'],
  ])('is refused with %s', async (_, body, pointer) => {
    const answer = await rotate(await createClient(acme), body)

    expect([answer.status, answer.body.errors[0]?.pointer]).toEqual([400, pointer])
  })
})

describe('a client that is disabled', () => {
  const at = (url: string, token: string) => new Client(token, url).get('/v1/jobs')

  it('gets no tokens, and a token that it has is refused by each gateway that has not just let it in', async () => {
    const client = await createClient(acme)
    const token = await fetchToken(client.client_id, client.client_secret)
    const { url, strictUrl } = inject('stack')
    expect((await at(url, token)).status).toBe(200)

    const { body } = await expectStatus(200, disable(client))

    expect(body).toMatchObject({ client_id: client.client_id, disabled_at: expect.stringMatching(/Z$/) })
    expect(await statusOf(client.client_id, client.client_secret)).toBe(401)
    const { status, headers } = await at(strictUrl, token)
    expect([status, headers.get('WWW-Authenticate')]).toEqual([
      401,
      expect.stringContaining('error="invalid_token"'),
    ])
  })

  it('keeps the time of the first, cannot be rotated, and leaves each reason on record', async () => {
    const client = await createClient(acme)
    const headers = { 'Idempotency-Key': randomUUID() }
    const first = await expectStatus(200, disable(client, headers))

    const [replay, second] = [await disable(client, headers), await disable(client)]

    expect([replay.body, second.body]).toEqual([first.body, first.body])
    expect(replay.headers.get('Idempotency-Replayed')).toBe('true')
    expect((await rotate(client)).status).toBe(400)
    const acts = await inDirectory(
      'select action from audit_log where target = ? order by id',
      client.client_id,
    )
    expect(acts).toEqual(['client.create', 'client.disable', 'client.disable'].map((action) => ({ action })))
  })

  it('is found by its ID alone as well, and in no tenant but its own', async () => {
    const client = await createClient(acme)
    const globex = await newTenant()

    expect((await disable(client, {}, clientsOf(globex))).status).toBe(404)
    expect((await rotate(client, {}, {}, clientsOf(globex))).status).toBe(404)
    expect((await rotate(client, {}, {}, '/ops/v1/clients')).status).toBe(200)
    expect((await disable(client, {}, '/ops/v1/clients')).status).toBe(200)
    for (const id of ['client_none', '__proto__', 'a%2Fb'])
      expect((await ops.post(`/ops/v1/clients/${id}/disable`, { reason })).status).toBe(404)
  })

  it("may be an operator's, but not the one that asks", async () => {
    const { sql, clientId, clientSecret } = await mintOperator(Date.now())
    await inDirectory(sql)
    const other = new Client(await fetchToken(clientId, clientSecret))
    const disableById = (id: string) => ops.post(`/ops/v1/clients/${id}/disable`, { reason })

    expect((await disableById(clientId)).body).toMatchObject({ tenant_id: null })
    expect((await other.get('/ops/v1/tenants')).status).toBe(401)
    expect((await disableById(inject('stack').operator.clientId)).status).toBe(400)
  })
})

it('a client of one tenant is refused with a token that names another', async () => {
  const client = await createClient(acme)
  const globex = await newTenant()

  const forged = new Client(await mintToken(globex.id, client.client_id, 'jobs:read'))

  expect((await forged.get('/v1/jobs')).status).toBe(401)
})
