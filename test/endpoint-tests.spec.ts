import { randomUUID } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import { evict, inLedger, logs } from './support/control.ts'
import { newReceiver } from './support/receiver.ts'
import { verifiesBy, verifiesByKey } from './support/signatures.ts'
import { expectStatus, newTenant, type Tenant } from './support/tenant.ts'
import { until } from './support/wait.ts'

const test = (tenant: Tenant, id: string, headers: Record<string, string> = {}) =>
  tenant.client.request('POST', `/v1/webhook_endpoints/${id}/test`, { headers })

describe('testing a webhook endpoint', () => {
  it('sends a ping, signed and with its headers like every other event, and answers what came back', async () => {
    const acme = await newTenant()
    const receiver = await newReceiver(() => ({ status: 202, body: 'thank you' }))
    const more = { signing: 'both', headers: { 'X-Own': 'mine' } }
    const { id, secret, public_keys } = await acme.listens(receiver, ['job.accepted'], more)

    const { status, body } = await test(acme, id)

    expect([status, body]).toEqual([
      200,
      { status_code: 202, latency_ms: expect.any(Number), error: null, response_excerpt: 'thank you' },
    ])
    const [received] = await receiver.arrived(1)
    if (!received) throw new Error('Nothing came.')
    expect(received.event).toEqual({
      id: received.headers['webhook-id'],
      object: 'event',
      type: 'ping',
      timestamp: expect.any(String),
      data: { id, object: 'webhook_endpoint' },
    })
    expect(received.event.id).toMatch(/^evt_/)
    expect(verifiesBy(secret, received)).toBe(true)
    expect(await verifiesByKey(public_keys[0] ?? '', received)).toBe(true)
    expect(received.headers['x-own']).toBe('mine')
  })

  it('is kept nowhere, under a fresh ID each time', async () => {
    const acme = await newTenant()
    const receiver = await newReceiver()
    const { id } = await acme.listens(receiver)
    const keys = () => inLedger(acme.id, 'select key_hash from idempotency_keys')
    const before = await keys()

    await expectStatus(200, test(acme, id))
    await expectStatus(200, test(acme, id))

    expect(new Set(receiver.received.map(({ event }) => event.id)).size).toBe(2)
    expect(await inLedger(acme.id, 'select id from events')).toEqual([])
    expect(await inLedger(acme.id, 'select id from deliveries')).toEqual([])
    expect(await keys()).toEqual(before)
  })

  it('works on one that is disabled, and leaves it so', async () => {
    const acme = await newTenant()
    const receiver = await newReceiver()
    const { id } = await acme.listens(receiver)
    await expectStatus(200, acme.client.patch(`/v1/webhook_endpoints/${id}`, { status: 'disabled' }))

    expect((await test(acme, id)).body).toMatchObject({ status_code: 204, error: null })
    expect(receiver.received).toHaveLength(1)
    expect((await acme.get(`/v1/webhook_endpoints/${id}`)).body.status).toBe('disabled')
  })

  it.each([
    ['fails', 500],
    ['redirects', 302],
    ['is gone', 410],
    ['is overloaded', 429],
  ])('of a receiver that %s is an answer, and changes nothing', async (_, status) => {
    const acme = await newTenant()
    const receiver = await newReceiver(() => ({ status, body: 'no' }))
    const { id } = await acme.listens(receiver)
    const before = await inLedger(acme.id, 'select * from webhook_endpoints')

    const answer = await test(acme, id)

    expect([answer.status, answer.body]).toEqual([
      200,
      {
        status_code: status,
        latency_ms: expect.any(Number),
        error: status === 302 ? 'redirect' : 'http_status',
        response_excerpt: 'no',
      },
    ])
    expect(await inLedger(acme.id, 'select * from webhook_endpoints')).toEqual(before)
  })

  it('calls no URL that must not be called', async () => {
    const acme = await newTenant()
    const { id } = await acme.listens(await newReceiver())
    await inLedger(acme.id, "update webhook_endpoints set url = 'https://169.254.169.254/latest/'")
    await evict(acme.id)

    expect((await test(acme, id)).body).toMatchObject({ status_code: null, error: 'url_refused' })
  })

  it.each([
    ['that can be opened', `[{ "sealedSecret": "k1.AAAA.AAAA", "sealedSeed": "", "expiresAt": null }]`],
    ['at all', '[]'],
  ])('sends nothing without a key %s, and says why', async (_, keys) => {
    const acme = await newTenant()
    const receiver = await newReceiver()
    const { id } = await acme.listens(receiver)
    await inLedger(acme.id, 'update webhook_endpoints set keys = ?', keys)
    await evict(acme.id)

    const { body } = await expectStatus(200, test(acme, id))

    expect(body).toMatchObject({ status_code: null, error: 'signing_key_unavailable' })
    expect(receiver.received).toEqual([])
  })

  it('tells the log what became of it, without a word of anybody', async () => {
    const acme = await newTenant()
    const receiver = await newReceiver(() => ({ status: 400, body: 'a very private answer' }))
    const { id } = await acme.listens(receiver)
    await expectStatus(200, test(acme, id))

    const line = await until('the log has it', async () =>
      (await logs()).find((one) => one.includes('webhook.tested') && one.includes(id)),
    )
    expect(JSON.parse(line)).toMatchObject({ tenant_id: acme.id, status_code: 400, error: 'http_status' })
    expect((await logs()).join('\n')).not.toContain('very private answer')
  })
})

describe('testing a webhook endpoint under a key', () => {
  it('sends one ping, and answers alike after that', async () => {
    const acme = await newTenant()
    const receiver = await newReceiver(() => ({ status: 200, body: 'first' }))
    const { id } = await acme.listens(receiver)
    const headers = { 'Idempotency-Key': randomUUID() }

    const first = await test(acme, id, headers)
    const replay = await test(acme, id, headers)
    const other = await acme.client.request('POST', `/v1/webhook_endpoints/${id}/test?x=1`, { headers })

    expect([replay.status, replay.body]).toEqual([200, first.body])
    expect(first.headers.get('Idempotency-Replayed')).toBeNull()
    expect(replay.headers.get('Idempotency-Replayed')).toBe('true')
    expect(other.status).toBe(422)
    expect(receiver.received).toHaveLength(1)
  })

  it('uses up no key for an endpoint that is not there', async () => {
    const acme = await newTenant()

    expect((await test(acme, 'we_x', { 'Idempotency-Key': randomUUID() })).status).toBe(404)
    expect(await inLedger(acme.id, 'select key_hash from idempotency_keys')).toEqual([])
  })

  it('is told to wait while the first still runs, and gets its answer then', async () => {
    const acme = await newTenant()
    const receiver = await newReceiver(() => null)
    const { id } = await acme.listens(receiver)
    const headers = { 'Idempotency-Key': randomUUID() }

    const first = test(acme, id, headers)
    await receiver.arrived(1)
    const meanwhile = await test(acme, id, headers)
    const answer = await first
    const replay = await test(acme, id, headers)

    expect([meanwhile.status, meanwhile.body.type]).toEqual([
      409,
      'https://api.gateway.test/problems/idempotency-in-progress',
    ])
    expect(meanwhile.headers.get('Retry-After')).toBe('5')
    expect(answer.body).toMatchObject({ status_code: null, error: 'timeout' })
    expect([replay.status, replay.body]).toEqual([200, answer.body])
    expect(receiver.received).toHaveLength(1)
  })

  it('may go ahead when whoever held the key has died, and its answer stands', async () => {
    const acme = await newTenant()
    const receiver = await newReceiver((nth) => (nth === 0 ? null : 204))
    const { id } = await acme.listens(receiver)
    const headers = { 'Idempotency-Key': randomUUID() }
    const late = test(acme, id, headers)
    await receiver.arrived(1)
    await inLedger(acme.id, 'update idempotency_keys set created_at = created_at - 30000')

    const second = await test(acme, id, headers)
    await late
    const replay = await test(acme, id, headers)

    expect(second.body).toMatchObject({ status_code: 204, error: null })
    expect(replay.body).toEqual(second.body)
    expect(receiver.received).toHaveLength(2)
  })
})
