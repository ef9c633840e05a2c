import { randomUUID } from 'node:crypto'
import { beforeAll, describe, expect, inject, it } from 'vitest'
import { BASE_URL } from './support/base-url.ts'
import { type Answer, Client, fetchToken } from './support/client.ts'
import { inDirectory } from './support/control.ts'
import { newIssuer, readJobs, registrations, trust } from './support/issuer.ts'
import { nameThat } from './support/names.ts'
import { expectStatus, newTenant, operator, type Tenant } from './support/tenant.ts'

const reason = 'they asked for it'
const request = (issuer: string, more: object = {}) => ({ issuer, scopes: ['jobs:read'], reason, ...more })
const refusal = ({ status, body }: Answer) => [status, body.errors?.[0]?.pointer]

/** For what is refused. */
let shared: Tenant
beforeAll(async () => {
  shared = await newTenant()
})

describe('an operator', () => {
  it('has an issuer trusted for a tenant, with its keys read', async () => {
    const [acme, issuer, ops] = await Promise.all([newTenant(), newIssuer(), operator()])
    const path = registrations(acme)

    const { headers, body } = await expectStatus(201, ops.post(path, request(issuer.url)))

    expect(body).toMatchObject({
      id: expect.stringMatching(/^iss_/),
      object: 'issuer',
      tenant_id: acme.id,
      issuer: issuer.url,
      audience: `${BASE_URL}/v1`,
      scopes: ['jobs:read'],
      key_ids: [issuer.keys[0]?.kid],
      keys_read_at: expect.any(String),
      keys_error: null,
    })
    expect(headers.get('Location')).toBe(`${BASE_URL}${path}/${body.id}`)
    expect((await ops.get(`${path}/${body.id}`)).body).toEqual(body)
    expect((await ops.get(path)).body).toEqual({ data: [body], has_more: false, next_cursor: null })
  })

  it('finds the issuers of a tenant page by page, and no others', async () => {
    const [acme, globex, ops] = await Promise.all([newTenant(), newTenant(), operator()])
    const ids: string[] = []
    for (const _ of [1, 2, 3]) ids.unshift((await trust(acme, await newIssuer())).id)
    const [foreign = ''] = ids

    const first = (await ops.get(`${registrations(acme)}?limit=2`)).body
    const next = `${registrations(acme)}?limit=2&cursor=${first.next_cursor}`
    const second = (await ops.get(next)).body

    expect([...first.data, ...second.data].map(({ id }) => id)).toEqual(ids)
    expect((await ops.get(next.replace(acme.id, globex.id))).status).toBe(400)
    expect((await ops.get(registrations(globex))).body.data).toEqual([])
    expect((await ops.get(`${registrations(globex)}/${foreign}`)).status).toBe(404)
    expect((await ops.get(registrations({ id: 'nobody' }))).status).toBe(404)
  })

  it('registers an issuer once, for whichever tenant', async () => {
    const [acme, globex, issuer, ops] = await Promise.all([newTenant(), newTenant(), newIssuer(), operator()])
    const headers = { 'Idempotency-Key': randomUUID() }
    const create = (tenant = acme, more: Record<string, string> = {}) =>
      ops.post(registrations(tenant), request(issuer.url), more)

    const answers = await Promise.all([create(acme, headers), create(acme, headers), create(acme, headers)])

    expect(answers.map(({ status }) => status)).toEqual([201, 201, 201])
    expect(new Set(answers.map(({ body }) => body.id)).size).toBe(1)
    const { headers: replayed } = await create(acme, headers)
    expect(replayed.get('Location')).toContain(answers[0]?.body.id)
    expect(refusal(await create(acme))).toEqual([400, '/issuer'])
    expect(refusal(await create(globex))).toEqual([400, '/issuer'])
    const [one, two] = await Promise.all([newIssuer(), newIssuer()])
    const atOnce = [one, two].flatMap(({ url }) =>
      [acme, globex].map((to) => ops.post(registrations(to), request(url))),
    )
    expect((await Promise.all(atOnce)).map(({ status }) => status).sort()).toEqual([201, 201, 400, 400])
  })

  it.each([
    ['that is ours', () => BASE_URL],
    ['by http', () => 'http://login.acme.dev'],
    ['on another port', () => 'https://login.acme.dev:8443'],
    ['at an address', () => 'https://169.254.169.254'],
    ['whose name leads into a network', () => `https://${nameThat('private')}`],
    ['whose name leads nowhere', () => `https://${nameThat('nxdomain')}`],
    ['with a query', () => `https://${nameThat('public')}/?a=1`],
    ['with an empty query', () => `https://${nameThat('public')}/?`],
    ['with a fragment', () => `https://${nameThat('public')}/#a`],
    ['with credentials', () => `https://a:b@${nameThat('public')}`],
    ['in capitals', () => `https://${nameThat('public').toUpperCase()}`],
    ['with the port of its scheme', () => `https://${nameThat('public')}:443`],
    ['with a dot at the end of its name', () => `https://${nameThat('public')}./`],
    ['by a way round', () => `https://${nameThat('public')}/a/../b`],
    ['that is no URL', () => 'acme'],
    ['that is empty', () => ''],
    ['that is far too long', () => `https://${nameThat('public')}/${'a'.repeat(500)}`],
  ])('cannot register an issuer %s', async (_, url) => {
    expect(refusal(await (await operator()).post(registrations(shared), request(url())))).toEqual([
      400,
      '/issuer',
    ])
  })

  it("cannot register one on this machine where production's rule holds, or whose name nobody can look up", async () => {
    const [acme, issuer] = await Promise.all([newTenant(), newIssuer()])
    const { operator: credentials, strictUrl } = inject('stack')
    const token = await fetchToken(credentials.clientId, credentials.clientSecret)
    const strict = new Client(token, strictUrl)

    expect(refusal(await strict.post(registrations(acme), request(issuer.url)))).toEqual([400, '/issuer'])
    const unknown = await strict.post(registrations(acme), request(`https://${nameThat('servfail')}`))
    expect([unknown.status, unknown.headers.has('Retry-After')]).toEqual([503, true])
    expect(issuer.asked).toEqual([])
  })

  it.each<[string, object, string]>([
    ['without a reason', { reason: undefined }, '/reason'],
    ['without scopes', { scopes: [] }, '/scopes'],
    ["for operators' scopes", { scopes: ['ops:write'] }, '/scopes/0'],
    ['for an audience with a space', { audience: 'a b' }, '/audience'],
    ['with what nobody knows', { jwks_uri: 'https://login.acme.dev' }, '/jwks_uri'],
  ])('registers no issuer %s', async (_, more, pointer) => {
    const answer = (await operator()).post(registrations(shared), request('http://127.0.0.1:9', more))

    expect(refusal(await answer)).toEqual([400, pointer])
  })

  it('has an issuer trusted no longer, with a reason, which the audit log keeps', async () => {
    const [acme, issuer, ops] = await Promise.all([newTenant(), newIssuer(), operator()])
    const { id } = await trust(acme, issuer)
    const token = await issuer.token(acme.id)
    const path = `${registrations(acme)}/${id}`
    const remove = (json: object) => ops.request('DELETE', path, { json })

    expect((await readJobs(token)).status).toBe(200)
    expect(refusal(await remove({}))).toEqual([400, '/reason'])
    await expectStatus(204, remove({ reason: 'the contract has ended' }))

    expect([(await ops.get(path)).status, (await remove({ reason })).status]).toEqual([404, 404])
    const rows = await inDirectory(
      'select action, reason from audit_log where target = ? order by id',
      issuer.url,
    )
    expect(rows).toEqual([
      { action: 'issuer.create', reason: 'a spec' },
      { action: 'issuer.delete', reason: 'the contract has ended' },
    ])
    expect((await readJobs(token)).status).toBe(401)
    expect((await trust(await newTenant(), issuer)).id).not.toBe(id)
  })
})
