import { describe, expect, it } from 'vitest'
import {
  afterTwoAttempts,
  deliveriesOf,
  deliveriesReached,
  deliveryOf,
  onlyDelivered,
  retry,
} from './support/deliveries.ts'
import { newReceiver } from './support/receiver.ts'
import { expectStatus, newTenant } from './support/tenant.ts'

const rfc3339 = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/
const attempt = (status_code: number, error: string | null) => ({
  at: expect.stringMatching(rfc3339),
  status_code,
  latency_ms: expect.any(Number),
  error,
  response_excerpt: null,
  response_truncated: false,
})

const someoneElses = 'evt_01jd0000000000000000000000zz'

describe('a delivery', () => {
  it('tells of each attempt, and when the next one is', async () => {
    const acme = await newTenant()
    const receiver = await newReceiver((nth) => [500, 302][nth] ?? 204)
    const endpoint = await acme.listens(receiver, ['job.accepted'])
    await acme.submitted()

    const delivery = await afterTwoAttempts(acme)

    expect(delivery).toEqual({
      id: expect.stringMatching(/^dlv_[0-9a-z]{28}$/),
      object: 'delivery',
      event_id: receiver.received[0]?.event.id,
      event_type: 'job.accepted',
      endpoint_id: endpoint.id,
      status: 'pending',
      attempts: [attempt(500, 'http_status'), attempt(302, 'redirect')],
      next_attempt_at: expect.stringMatching(rfc3339),
      created_at: expect.stringMatching(rfc3339),
    })
    expect(await deliveryOf(acme, delivery.id)).toEqual(delivery)
    const [made, first, second, next] = [
      delivery.created_at,
      ...delivery.attempts.map(({ at }) => at),
      delivery.next_attempt_at ?? '',
    ].map(Date.parse) as [number, number, number, number]
    expect(made).toBeLessThanOrEqual(first)
    expect(second - first).toBeGreaterThanOrEqual(4500)
    expect(next - second).toBeGreaterThanOrEqual(290_000)
  })

  it('is another for each endpoint that wants the event', async () => {
    const acme = await newTenant()
    const [one, other] = [await newReceiver(), await newReceiver(() => 500)]
    const endpoints = [await acme.listens(one, ['job.accepted']), await acme.listens(other, ['job.accepted'])]
    await acme.submitted()

    const { event } = await one.event('job.accepted')
    const found = await deliveriesOf(acme, `event_id=${event.id}`)

    expect(found.map(({ endpoint_id }) => endpoint_id).sort()).toEqual(endpoints.map(({ id }) => id).sort())
    expect(new Set(found.map(({ id }) => id)).size).toBe(2)
  })
})

describe("a tenant's list of deliveries", () => {
  it('is newest first, in pages, and filtered', async () => {
    const acme = await newTenant()
    const [good, bad] = [await newReceiver(), await newReceiver(() => 500)]
    const quiet = await acme.listens(good, ['job.accepted'])
    const loud = await acme.listens(bad, ['job.*'])
    for (let at = 0; at < 2; at++) await acme.ended((await acme.submitted()).id)
    await deliveriesReached(acme, 'delivered', 2, `endpoint_id=${quiet.id}`)

    const first = (await expectStatus(200, acme.get('/v1/deliveries?limit=4'))).body
    const second = (await expectStatus(200, acme.get(`/v1/deliveries?limit=4&cursor=${first.next_cursor}`)))
      .body

    const seen = [...first.data, ...second.data]
    expect(seen).toHaveLength(6)
    expect(new Set(seen.map(({ id }) => id)).size).toBe(6)
    const made = seen.map(({ created_at }) => created_at)
    expect(made).toEqual(made.toSorted().reverse())
    expect([first.has_more, second.has_more, second.next_cursor]).toEqual([true, false, null])

    const counts = async (query: string) => (await deliveriesOf(acme, query)).length
    expect(await counts(`endpoint_id=${loud.id}`)).toBe(4)
    expect(await counts('event_type=job.result_available')).toBe(2)
    expect(await counts('status=delivered')).toBe(2)
    expect(await counts(`status=delivered&endpoint_id=${loud.id}`)).toBe(0)
    expect(await counts(`event_id=${good.received[0]?.event.id}`)).toBe(2)
    expect(await counts(`event_id=${someoneElses}`)).toBe(0)
    expect(await counts('event_id=nonsense')).toBe(0)
  })

  it.each([
    ['status=lost', 'status'],
    ['event_type=job.*', 'event_type'],
    ['event_type=job.exploded', 'event_type'],
    ['limit=0', 'limit'],
    ['cursor=nonsense', 'cursor'],
    ['color=red', 'color'],
  ])('is refused with ?%s', async (query, parameter) => {
    const acme = await newTenant()

    const { status, body } = await acme.get(`/v1/deliveries?${query}`)

    expect([status, body.errors.map((error) => error.parameter)]).toEqual([400, [parameter]])
  })

  it('refuses a cursor of another filter or another tenant', async () => {
    const [acme, globex] = [await newTenant(), await newTenant()]
    await acme.listens(await newReceiver())
    await acme.submitted()
    await acme.submitted()
    const { next_cursor } = (await acme.get('/v1/deliveries?limit=1')).body

    for (const { status, body } of [
      await acme.get(`/v1/deliveries?limit=1&status=pending&cursor=${next_cursor}`),
      await globex.get(`/v1/deliveries?limit=1&cursor=${next_cursor}`),
    ])
      expect([status, body.errors]).toEqual([400, [expect.objectContaining({ parameter: 'cursor' })]])
  })
})

describe('another tenant', () => {
  it('can neither read, list nor retry the delivery: it is not there', async () => {
    const [acme, globex] = [await newTenant(), await newTenant()]
    const receiver = await newReceiver()
    const endpoint = await acme.listens(receiver, ['job.accepted'])
    await acme.submitted()
    const { id, event_id } = await onlyDelivered(acme)

    for (const { status } of [
      await globex.get(`/v1/deliveries/${id}`),
      await globex.get('/v1/deliveries/nonsense'),
      await retry(globex, id),
      await retry(globex, 'nonsense'),
    ])
      expect(status).toBe(404)
    for (const query of ['', `endpoint_id=${endpoint.id}`, `event_id=${event_id}`])
      expect(await deliveriesOf(globex, query)).toEqual([])
    expect(receiver.received).toHaveLength(1)
  })
})
