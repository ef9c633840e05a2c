import { randomUUID } from 'node:crypto'
import { beforeAll, describe, expect, it } from 'vitest'
import { evict, inLedger } from './support/control.ts'
import { newReceiver } from './support/receiver.ts'
import { expectStatus, newTenant, type Tenant } from './support/tenant.ts'
import { until } from './support/wait.ts'

const URL_OF_ACME = 'https://hooks.acme.com/ai'

const create = (tenant: Tenant, more: object = {}, headers: Record<string, string> = {}) =>
  tenant.client.post('/v1/webhook_endpoints', { url: URL_OF_ACME, ...more }, headers)

const created = async (tenant: Tenant, more: object = {}) =>
  (await expectStatus(201, create(tenant, more))).body

const pathOf = (id: string, verb = '') => `/v1/webhook_endpoints/${id}${verb}`
const patch = (tenant: Tenant, id: string, change: object) => tenant.client.patch(pathOf(id), change)

const deliveriesOf = (tenant: Tenant) =>
  inLedger<{ status: string; due_at: number | null; ordered_subject: string | null; tries: number }>(
    tenant.id,
    'select status, due_at, ordered_subject, tries from deliveries order by event_sequence',
  )

const everything = {
  event_types: ['job.*', 'batch.failed'],
  description: 'All that we do at night',
  signing: 'both',
  ordered: true,
  max_per_second: 1000,
  headers: { Authorization: 'Bearer 123', 'X-Tenant': 'acme' },
  metadata: { team: 'nights' },
}

describe('creating a webhook endpoint', () => {
  it('answers what was asked for, with where it is and its secret', async () => {
    const acme = await newTenant()

    const { status, headers, body } = await create(acme, everything)

    expect(status).toBe(201)
    expect(headers.get('Location')).toBe(`https://api.gateway.test/v1/webhook_endpoints/${body.id}`)
    expect(body).toEqual({
      ...everything,
      id: expect.stringMatching(/^we_/),
      object: 'webhook_endpoint',
      url: URL_OF_ACME,
      status: 'enabled',
      disabled_reason: null,
      public_keys: [expect.stringMatching(/^whpk_/)],
      headers: ['Authorization', 'X-Tenant'],
      created_at: expect.any(String),
      secret: expect.stringMatching(/^whsec_/),
    })
    const { secret: _, ...shown } = body
    expect((await acme.get(pathOf(body.id))).body).toEqual(shown)
    expect((await acme.get('/v1/webhook_endpoints')).body.data).toEqual([shown])
  })

  it('needs a URL and no more', async () => {
    const acme = await newTenant()

    expect(await created(acme)).toMatchObject({
      event_types: ['*'],
      description: null,
      signing: 'hmac',
      public_keys: [],
      ordered: false,
      max_per_second: null,
      headers: [],
      metadata: {},
    })
  })

  it('takes null for no limit, no description and no headers', async () => {
    const none = { max_per_second: null, description: null, headers: null }

    expect(await created(await newTenant(), none)).toMatchObject({ ...none, headers: [] })
  })

  it('is refused beyond 50, with what to do about it', async () => {
    const acme = await newTenant()
    for (let nth = 0; nth < 50; nth++) await created(acme)

    const { status, body } = await create(acme)

    expect([status, body.detail]).toEqual([
      400,
      expect.stringMatching(/has 50 webhook endpoints.*Delete one/),
    ])
    expect((await acme.get('/v1/webhook_endpoints?limit=100')).body.data).toHaveLength(50)
  })

  it('happens once under a key, and a repetition is not shown the secret', async () => {
    const acme = await newTenant({ max_webhook_endpoints: 1 })
    const headers = { 'Idempotency-Key': randomUUID() }

    const answers = await Promise.all(Array.from({ length: 20 }, () => create(acme, everything, headers)))

    const first = answers.filter((answer) => answer.headers.get('Idempotency-Replayed') === null)
    expect(first.map(({ status, body }) => [status, typeof body.secret])).toEqual([[201, 'string']])
    for (const { status, body, headers } of answers) {
      expect([status, { ...body, secret: null }]).toEqual([201, { ...first[0]?.body, secret: null }])
      expect(headers.get('Location')).toBe(first[0]?.headers.get('Location'))
      if (body.secret !== null) expect(body).toBe(first[0]?.body)
    }
  })

  it('is answered alike under its key after the endpoint has changed, or gone', async () => {
    const acme = await newTenant()
    const headers = { 'Idempotency-Key': randomUUID() }
    const { body } = await create(acme, {}, headers)
    await expectStatus(200, patch(acme, body.id, { description: 'changed' }))
    await expectStatus(204, acme.client.delete(pathOf(body.id)))

    const replay = await create(acme, {}, headers)
    const other = await create(acme, { description: 'another' }, headers)

    expect([replay.status, replay.body]).toEqual([201, { ...body, secret: null }])
    expect(other.status).toBe(422)
  })
})

describe('a request for a webhook endpoint', () => {
  let acme: Tenant
  let id: string
  beforeAll(async () => {
    acme = await newTenant()
    id = (await created(acme)).id
  })

  const refusals: [object, string][] = [
    [{ event_types: ['job.exploded'] }, '/event_types/0'],
    [{ event_types: ['job.accepted', 'job'] }, '/event_types/1'],
    [{ event_types: [] }, '/event_types'],
    [{ event_types: '*' }, '/event_types'],
    [{ event_types: null }, '/event_types'],
    [{ url: '' }, '/url'],
    [{ url: null }, '/url'],
    [{ url: 'http://hooks.acme.com/' }, '/url'],
    [{ url: 'https://10.0.0.1/' }, '/url'],
    [{ url: `https://hooks.acme.com/${'a'.repeat(2048)}` }, '/url'],
    [{ description: 'a'.repeat(501) }, '/description'],
    [{ signing: 'rsa' }, '/signing'],
    [{ signing: null }, '/signing'],
    [{ ordered: 'yes' }, '/ordered'],
    [{ max_per_second: 0 }, '/max_per_second'],
    [{ max_per_second: 1001 }, '/max_per_second'],
    [{ max_per_second: 1.5 }, '/max_per_second'],
    [{ max_per_second: '10' }, '/max_per_second'],
    [{ metadata: { a: 1 } }, '/metadata/a'],
    [{ metadata: null }, '/metadata'],
    [{ headers: ['X-Own'] }, '/headers'],
    [{ headers: { 'X-Own': 1 } }, '/headers/X-Own'],
    [{ headers: { 'Webhook-Id': 'mine' } }, '/headers/Webhook-Id'],
    [{ headers: { 'X/Own~': 'mine' } }, '/headers/X~1Own~0'],
    [{ headers: { 'X-Own': 'a\r\nX-More: b' } }, '/headers/X-Own'],
    [{ headers: { 'X-Own': 'a', 'x-own': 'b' } }, '/headers/x-own'],
    [{ headers: Object.fromEntries(Array.from({ length: 21 }, (_, at) => [`X-${at}`, 'v'])) }, '/headers'],
    [{ colour: 'red' }, '/colour'],
    [{ id: 'we_x' }, '/id'],
    [{ public_keys: [] }, '/public_keys'],
    [{ disabled_reason: null }, '/disabled_reason'],
  ]

  it.each([...refusals, [{ status: 'disabled' }, '/status']] as [object, string][])(
    'to create one with %j is refused',
    async (more, pointer) => {
      const { status, body } = await create(acme, more)

      expect([status, body.errors.map((error) => error.pointer)]).toEqual([400, [pointer]])
    },
  )

  it.each([
    ...refusals,
    [{ secret: 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw' }, '/secret'],
    [{ status: 'failing' }, '/status'],
    [{ status: null }, '/status'],
  ] as [object, string][])('to change one to %j is refused', async (change, pointer) => {
    const { status, body } = await patch(acme, id, change)

    expect([status, body.errors.map((error) => error.pointer)]).toEqual([400, [pointer]])
  })

  it('names every place that is wrong, and tells no value', async () => {
    const { body } = await create(acme, {
      secret: 'whsec_mine',
      headers: { Host: 'hush', 'X-Own': ' hush ' },
    })

    expect(body.errors.map(({ pointer }) => pointer)).toEqual(['/headers/Host', '/headers/X-Own', '/secret'])
    expect(JSON.stringify(body)).not.toMatch(/hush|whsec_mine/)
  })

  it('does not get a long name back whole', async () => {
    const { body } = await create(acme, { headers: { ['n'.repeat(10_000)]: 'v' } })

    expect(body.errors[0]?.pointer.length).toBeLessThan(200)
  })

  it.each([
    ['GET', ''],
    ['PATCH', ''],
    ['DELETE', ''],
    ['POST', '/rotate_secret'],
    ['POST', '/test'],
    ['POST', '/enable'],
  ])('by %s of %j finds no one else’s, and none that is unknown or malformed', async (method, verb) => {
    const globex = await newTenant()
    const options = method === 'PATCH' ? { json: {} } : {}
    const ask = (tenant: Tenant, which: string) => tenant.client.request(method, pathOf(which, verb), options)

    const answers = [
      await ask(globex, id),
      await ask(acme, `we_${'0'.repeat(28)}`),
      await ask(acme, 'we_x'),
      await ask(acme, 'we_%00'),
    ]

    expect(answers.map(({ status }) => status)).toEqual([404, 404, 404, 404])
    expect(new Set(answers.map(({ body }) => body.detail)).size).toBe(1)
  })
})

describe('changing a webhook endpoint', () => {
  it('changes what is named, and nothing else', async () => {
    const acme = await newTenant()
    const { secret: _, ...before } = await created(acme, everything)
    const change = {
      url: 'https://hooks.acme.com/other',
      event_types: ['job.failed'],
      description: 'Another',
      signing: 'ed25519',
      ordered: false,
      max_per_second: 5,
      metadata: { other: 'pairs' },
    }

    for (const [name, value] of Object.entries(change)) {
      const { body } = await expectStatus(200, patch(acme, before.id, { [name]: value }))
      Object.assign(before, { [name]: value })
      expect(body).toEqual(before)
    }
    const { body } = await patch(acme, before.id, { headers: { 'X-New': 'value' } })

    expect(body).toEqual({ ...before, headers: ['X-New'] })
    expect((await acme.get(pathOf(before.id))).body).toEqual(body)
  })

  it('clears by null, or by nothing in its place', async () => {
    const acme = await newTenant()
    const { id } = await created(acme, everything)
    const cleared = { description: null, max_per_second: null, headers: null, metadata: {} }

    const { body } = await patch(acme, id, cleared)
    await patch(acme, id, { headers: { 'X-Own': 'value' } })
    const again = (await patch(acme, id, { headers: {} })).body

    expect(body).toMatchObject({ ...cleared, headers: [] })
    expect(again).toMatchObject({ headers: [] })
    expect(await inLedger(acme.id, 'select sealed_headers from webhook_endpoints')).toEqual([
      { sealed_headers: null },
    ])
  })

  it('may be to nothing at all', async () => {
    const acme = await newTenant()
    const { secret: _, ...before } = await created(acme, everything)

    const { status, body } = await patch(acme, before.id, {})

    expect([status, body]).toEqual([200, before])
  })

  it('stores the URL as it will be called', async () => {
    const acme = await newTenant()
    const { id } = await created(acme)

    const { body } = await patch(acme, id, { url: 'https://HOOKS.acme.com:443/ai' })

    expect(body).toMatchObject({ url: 'https://hooks.acme.com/ai' })
  })

  it('sends what comes next to the new URL, which is taken for healthy', async () => {
    const acme = await newTenant()
    const [old, next] = [await newReceiver(() => 500), await newReceiver()]
    const { id } = await acme.listens(old, ['job.accepted'])
    await acme.submitted()
    const healthOf = async () => {
      const [row] = await inLedger<{ health: string }>(acme.id, 'select health from webhook_endpoints')
      return JSON.parse(row?.health ?? '{}') as { failures: number }
    }
    await until('the failure is on record', async () => (await healthOf()).failures > 0)

    await expectStatus(200, patch(acme, id, { description: 'the same receiver' }))
    expect((await healthOf()).failures).toBeGreaterThan(0)
    await expectStatus(200, patch(acme, id, { url: next.url }))
    expect((await healthOf()).failures).toBe(0)
    await acme.submitted()

    await next.arrived(1)
  })

  it('to ordered includes what is undelivered, due or held, and back again', async () => {
    const acme = await newTenant()
    const receiver = await newReceiver(() => 500)
    const { id } = await acme.listens(receiver, ['job.accepted'])
    const delivered = await newReceiver()
    await acme.listens(delivered, ['job.accepted'])
    const job = await acme.submitted()
    await delivered.arrived(1)
    await until('one is delivered', async () =>
      (await deliveriesOf(acme)).some(({ status }) => status === 'delivered'),
    )
    const subjects = async () =>
      (await deliveriesOf(acme))
        .filter(({ status }) => status !== 'delivered')
        .map(({ ordered_subject }) => ordered_subject)

    await expectStatus(200, patch(acme, id, { ordered: true }))
    expect(await subjects()).toEqual([job.id])
    await expectStatus(200, patch(acme, id, { ordered: false, status: 'disabled' }))
    expect(await subjects()).toEqual([null])
    await expectStatus(200, patch(acme, id, { ordered: true }))
    expect(await subjects()).toEqual([job.id])
  })
})

describe('switching a webhook endpoint off', () => {
  it('holds what is to be delivered, and tells the others', async () => {
    const acme = await newTenant()
    const [receiver, watching] = [await newReceiver(() => 500), await newReceiver()]
    const { id } = await acme.listens(receiver, ['job.accepted'])
    await acme.listens(watching, ['webhook_endpoint.disabled'])
    await acme.submitted()
    await until('the failure is on record', async () => (await deliveriesOf(acme))[0]?.tries === 1)

    const { body } = await expectStatus(200, patch(acme, id, { status: 'disabled' }))
    await acme.submitted()

    expect(body).toMatchObject({ status: 'disabled', disabled_reason: 'requested' })
    expect((await watching.event('webhook_endpoint.disabled')).event.data).toMatchObject({
      id,
      object: 'webhook_endpoint',
      disabled_reason: 'requested',
      sequence: 1,
      failing_since: expect.any(String),
    })
    await until('both are held', async () => {
      const held = (await deliveriesOf(acme)).filter(({ status }) => status === 'held')
      return held.length === 2 && held.every(({ due_at }) => due_at === null)
    })
  })

  it('twice is once, and leaves the reason of before', async () => {
    const acme = await newTenant()
    const watching = await newReceiver()
    await acme.listens(watching, ['webhook_endpoint.disabled'])
    const { id } = await created(acme, { event_types: ['ping'] })
    await inLedger(
      acme.id,
      "update webhook_endpoints set status = 'disabled', disabled_reason = 'gone' where id = ?",
      id,
    )
    await evict(acme.id)

    const { body } = await patch(acme, id, { status: 'disabled' })

    expect(body).toMatchObject({ status: 'disabled', disabled_reason: 'gone' })
    expect(await inLedger(acme.id, 'select id from events')).toEqual([])
  })
})

describe('enabling a webhook endpoint', () => {
  const withHeld = async () => {
    const acme = await newTenant()
    const receiver = await newReceiver()
    const { id } = await acme.listens(receiver, ['job.accepted'])
    await expectStatus(200, patch(acme, id, { status: 'disabled' }))
    const jobs = [await acme.submitted(), await acme.submitted()]
    return { acme, receiver, id, jobs: jobs.map((job) => job.id) }
  }
  const enable = (tenant: Tenant, id: string, body?: object, headers: Record<string, string> = {}) =>
    tenant.client.request('POST', pathOf(id, '/enable'), { ...(body && { json: body }), headers })

  it('sends what was held', async () => {
    const { acme, receiver, id, jobs } = await withHeld()

    const { status, body } = await enable(acme, id)

    expect([status, body]).toEqual([200, (await acme.get(pathOf(id))).body])
    expect(body).toMatchObject({ id, status: 'enabled', disabled_reason: null })
    const received = await receiver.arrived(2)
    expect(received.map(({ event }) => event.data.id).sort()).toEqual(jobs.sort())
  })

  it('by a change does the same', async () => {
    const { acme, receiver, id } = await withHeld()

    const { body } = await patch(acme, id, { status: 'enabled' })

    expect(body).toMatchObject({ status: 'enabled', disabled_reason: null })
    await receiver.arrived(2)
  })

  it('leaves held what is not to be sent, and sends what comes next', async () => {
    const { acme, receiver, id, jobs } = await withHeld()

    await expectStatus(200, enable(acme, id, { send_held: false }))
    const next = await acme.submitted()
    await receiver.arrived(1)

    expect(receiver.received.map(({ event }) => event.data.id)).toEqual([next.id])
    const held = (await deliveriesOf(acme)).filter(({ status }) => status === 'held')
    expect(held).toHaveLength(jobs.length)
    await expectStatus(200, enable(acme, id, { send_held: true }))
    await receiver.arrived(3)
  })

  it('that is enabled changes nothing', async () => {
    const acme = await newTenant()
    const { secret: _, ...endpoint } = await created(acme)

    const { status, body } = await enable(acme, endpoint.id)

    expect([status, body]).toEqual([200, endpoint])
  })

  it('happens once under a key', async () => {
    const { acme, id } = await withHeld()
    const headers = { 'Idempotency-Key': randomUUID() }
    const first = await enable(acme, id, undefined, headers)
    await expectStatus(200, patch(acme, id, { status: 'disabled' }))

    const replay = await enable(acme, id, {}, headers)

    expect([replay.status, replay.body]).toEqual([200, first.body])
    expect(replay.headers.get('Idempotency-Replayed')).toBe('true')
    expect((await acme.get(pathOf(id))).body.status).toBe('disabled')
    expect((await enable(acme, id, { send_held: false }, headers)).status).toBe(422)
  })

  it.each([
    [{ json: { send: true } }, 400],
    [{ json: { send_held: 'no' } }, 400],
    [{ json: [] }, 400],
    [{ raw: '{', headers: { 'Content-Type': 'application/json' } }, 400],
    [{ raw: '{"send_held":false}', headers: { 'Content-Type': 'text/plain' } }, 415],
    [{ raw: '', headers: { 'Content-Type': 'application/json' } }, 200],
    [{}, 200],
  ])('with the body %j is answered with %i', async (options, status) => {
    const acme = await newTenant()
    const { id } = await created(acme)

    expect((await acme.client.request('POST', pathOf(id, '/enable'), options)).status).toBe(status)
  })
})

describe('deleting a webhook endpoint', () => {
  it('ends what is due and what is held', async () => {
    const acme = await newTenant()
    const receiver = await newReceiver(() => 500)
    const [due, held] = [await acme.listens(receiver, ['job.accepted']), await created(acme)]
    await expectStatus(200, patch(acme, held.id, { status: 'disabled', event_types: ['job.accepted'] }))
    await acme.submitted()
    expect((await deliveriesOf(acme)).map(({ status }) => status).sort()).toEqual(['held', 'pending'])

    for (const { id } of [due, held]) await expectStatus(204, acme.client.delete(pathOf(id)))

    const rows = await deliveriesOf(acme)
    expect(rows.map(({ status, due_at }) => [status, due_at])).toEqual([
      ['cancelled', null],
      ['cancelled', null],
    ])
    expect((await acme.client.delete(pathOf(due.id))).status).toBe(404)
  })
})
