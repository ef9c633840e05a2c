import { randomUUID } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import { callLedger, inLedger } from './support/control.ts'
import { create, created, deliveriesOf, ENDPOINT_URL, patch, pathOf } from './support/endpoints.ts'
import { newReceiver } from './support/receiver.ts'
import { expectStatus, newTenant } from './support/tenant.ts'
import { until } from './support/wait.ts'

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
      url: ENDPOINT_URL,
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

describe('a call to create a webhook endpoint that is made again, since its reply was lost,', () => {
  const signingKey = {
    id: 'whk_x',
    sealedSecret: '',
    sealedSeed: '',
    publicKey: '',
    createdAt: 0,
    expiresAt: null,
  }
  const request = {
    url: ENDPOINT_URL,
    eventTypes: ['*'],
    description: null,
    signing: 'hmac',
    ordered: false,
    maxPerSecond: null,
    headerNames: [],
    sealedHeaders: null,
    metadata: {},
    signingKey,
  }

  it.each([
    ['without a key', null],
    ['under a key', { hash: 'hash', fingerprint: 'print' }],
  ])('is one call %s', async (_, key) => {
    const acme = await newTenant({ max_webhook_endpoints: 1 })
    const call = { id: `we_${'0'.repeat(28)}`, key }
    const make = () =>
      callLedger<{ value: { replayed: boolean } }>(acme.id, 'createEndpoint', call, request, false)

    const [first, again] = [await make(), await make()]

    expect(again.value).toEqual(first.value)
    expect(first.value.replayed).toBe(false)
    expect(await inLedger(acme.id, 'select id from webhook_endpoints')).toEqual([{ id: call.id }])
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
