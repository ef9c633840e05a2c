import { randomUUID } from 'node:crypto'
import { Webhook } from 'standardwebhooks'
import { describe, expect, it } from 'vitest'
import { inLedger } from './support/control.ts'
import { deliveriesOf, deliveriesReached, headersOf, replay, setStatus } from './support/deliveries.ts'
import { newReceiver } from './support/receiver.ts'
import { expectStatus, newTenant, summarizeJob, type Tenant } from './support/tenant.ts'
import { pause, until } from './support/wait.ts'

const DAY_MS = 86_400_000
const ago = (ms: number) => new Date(Date.now() - ms).toISOString()
const lately = () => ({ since: ago(600_000) })

/** How many deliveries the replay made due. */
async function replayed(tenant: Tenant, endpointId: string, range: object): Promise<number> {
  const { body } = await expectStatus(202, replay(tenant, endpointId, range))
  return (body as unknown as { deliveries: number }).deliveries
}

const types = (events: readonly { event: { type: string } }[]) => events.map(({ event }) => event.type).sort()

describe('a replay', () => {
  it('keeps ID and bytes, under a fresh timestamp and signature', async () => {
    const acme = await newTenant()
    const receiver = await newReceiver()
    const { id, secret } = await acme.listens(receiver)
    await acme.ended((await acme.submitted()).id)
    await deliveriesReached(acme, 'delivered', 2)
    await pause(1100)

    expect(await replayed(acme, id, lately())).toBe(2)

    const received = await receiver.arrived(4)
    const [before, after] = [received.slice(0, 2), received.slice(2)]
    for (const first of before) {
      const second = after.find(({ headers }) => headers['webhook-id'] === first.headers['webhook-id'])
      expect(second?.text).toBe(first.text)
      expect(Number(second?.headers['webhook-timestamp'])).toBeGreaterThan(
        Number(first.headers['webhook-timestamp']),
      )
      expect(second?.headers['webhook-signature']).not.toBe(first.headers['webhook-signature'])
      if (second) expect(new Webhook(secret).verify(second.text, headersOf(second))).toEqual(first.event)
    }
    const deliveries = await deliveriesReached(acme, 'delivered', 2)
    expect(deliveries.map(({ attempts }) => attempts.length)).toEqual([2, 2])
  })

  it('is of a range of time and of types', async () => {
    const acme = await newTenant()
    const receiver = await newReceiver()
    const { id } = await acme.listens(receiver)
    await acme.ended((await acme.submitted()).id)
    await acme.ended((await acme.submitted(summarizeJob({ model: 'test/content-filtered' }))).id)
    const sent = (await receiver.arrived(4)).map(({ event }) => event)
    await deliveriesReached(acme, 'delivered', 4)
    const at = (type: string) => sent.find((event) => event.type === type)?.timestamp ?? ''

    expect(await replayed(acme, id, { since: at('job.failed') })).toBe(1)
    expect(types((await receiver.arrived(5)).slice(4))).toEqual(['job.failed'])
    await deliveriesReached(acme, 'delivered', 4)

    expect(await replayed(acme, id, { ...lately(), event_types: ['job.accepted', 'batch.*'] })).toBe(2)
    expect(types((await receiver.arrived(7)).slice(5))).toEqual(['job.accepted', 'job.accepted'])
    await deliveriesReached(acme, 'delivered', 4)

    const first = { since: ago(600_000), until: at('job.accepted') }
    expect(await replayed(acme, id, first)).toBe(1)
    expect((await receiver.arrived(8))[7]?.event.timestamp).toBe(at('job.accepted'))
  })

  it('of only what has failed leaves the rest alone', async () => {
    const acme = await newTenant()
    const receiver = await newReceiver()
    const { id } = await acme.listens(receiver, ['job.accepted'])
    for (let at = 0; at < 3; at++) await acme.submitted()
    const [failed, held] = await deliveriesReached(acme, 'delivered', 3)
    await setStatus(acme, failed?.id ?? '', 'failed')
    await setStatus(acme, held?.id ?? '', 'held')

    expect(await replayed(acme, id, { ...lately(), only_failed: true })).toBe(2)

    const again = (await receiver.arrived(5)).slice(3).map(({ event }) => event.id)
    expect(again.sort()).toEqual([failed?.event_id, held?.event_id].sort())
    expect(await replayed(acme, id, { ...lately(), only_failed: true })).toBe(0)
  })

  it('leaves alone what is being delivered already', async () => {
    const acme = await newTenant()
    const receiver = await newReceiver(() => null)
    const { id } = await acme.listens(receiver, ['job.accepted'])
    await acme.submitted()
    await receiver.arrived(1)

    expect(await replayed(acme, id, lately())).toBe(0)
  })

  it('does not wait for what an endpoint that is well again was to get later', async () => {
    const acme = await newTenant()
    const later = { status: 503, headers: { 'Retry-After': '86400' } }
    const receiver = await newReceiver((nth) => (nth === 0 ? later : 204))
    const { id } = await acme.listens(receiver, ['job.accepted'])
    await acme.submitted()
    await until('the attempt is on record', async () => (await deliveriesOf(acme))[0]?.attempts.length === 1)

    expect(await replayed(acme, id, { ...lately(), only_failed: true })).toBe(1)

    await deliveriesReached(acme, 'delivered', 1)
  })

  it('tells an endpoint what happened before it existed, of what it is subscribed to', async () => {
    const acme = await newTenant()
    const job = await acme.submitted()
    await acme.ended(job.id)
    const receiver = await newReceiver()
    const { id, secret } = await acme.listens(receiver, ['job.result_available'])

    expect(await replayed(acme, id, lately())).toBe(1)

    const [one] = await receiver.arrived(1)
    expect(one?.event).toMatchObject({ type: 'job.result_available', data: { id: job.id } })
    if (one) new Webhook(secret).verify(one.text, headersOf(one))
    const [delivery] = await deliveriesReached(acme, 'delivered', 1)
    expect(delivery).toMatchObject({ event_id: one?.event.id, endpoint_id: id })
  })

  it('reaches an endpoint that is disabled, which stays so', async () => {
    const acme = await newTenant()
    const receiver = await newReceiver((nth) => (nth === 0 ? 410 : 204))
    const { id } = await acme.listens(receiver, ['job.accepted'])
    await acme.submitted()
    await deliveriesReached(acme, 'held', 1)
    await acme.submitted()
    await deliveriesReached(acme, 'held', 2)

    expect(await replayed(acme, id, { ...lately(), only_failed: true })).toBe(2)

    await deliveriesReached(acme, 'delivered', 2)
    expect((await acme.get(`/v1/webhook_endpoints/${id}`)).body.status).toBe('disabled')
  })

  it('is made once under an idempotency key', async () => {
    const acme = await newTenant()
    const receiver = await newReceiver()
    const { id } = await acme.listens(receiver, ['job.accepted'])
    await acme.submitted()
    await deliveriesReached(acme, 'delivered', 1)
    const [range, key] = [lately(), { 'Idempotency-Key': randomUUID() }]
    const first = await expectStatus(202, replay(acme, id, range, key))
    await receiver.arrived(2)
    await deliveriesReached(acme, 'delivered', 1)

    const again = await expectStatus(202, replay(acme, id, range, key))
    const other = await replay(acme, id, { ...range, only_failed: true }, key)

    expect([first.body, again.body]).toEqual([{ deliveries: 1 }, { deliveries: 1 }])
    expect([first, again].map(({ headers }) => headers.get('Idempotency-Replayed'))).toEqual([null, 'true'])
    expect(other.status).toBe(422)
    expect((await deliveriesOf(acme)).map(({ status }) => status)).toEqual(['delivered'])
  })

  it.each([
    [{}, '/since'],
    [{ since: 'yesterday' }, '/since'],
    [{ since: ago(-DAY_MS) }, '/since'],
    [{ since: ago(-DAY_MS), until: ago(-2 * DAY_MS) }, '/since'],
    [{ since: ago(31 * DAY_MS) }, '/since'],
    [{ since: ago(1000), until: ago(2000) }, '/until'],
    [{ since: ago(1000), until: 'now' }, '/until'],
    [{ since: '2026-11-30' }, '/since'],
    [{ since: ago(1000), event_types: ['job.exploded'] }, '/event_types/0'],
    [{ since: ago(1000), event_types: [] }, '/event_types'],
    [{ since: ago(1000), only_failed: 'yes' }, '/only_failed'],
    [{ since: ago(1000), endpoint: 'x' }, '/endpoint'],
  ])('is refused for %j', async (range, pointer) => {
    const acme = await newTenant()
    const { id } = await acme.listens(await newReceiver())

    const { status, body } = await replay(acme, id, range)

    expect([status, body.errors.map((error) => error.pointer)]).toEqual([400, [pointer]])
  })

  it('of another tenant, or of none, is not found', async () => {
    const [acme, globex] = [await newTenant(), await newTenant()]
    const { id } = await acme.listens(await newReceiver())

    for (const endpointId of [id, 'we_none', 'nonsense'])
      expect((await replay(globex, endpointId, lately())).status).toBe(404)
  })
})

describe('a replay of very much', () => {
  it('is refused beyond 10,000 at once, and made within them', async () => {
    const acme = await newTenant()
    const start = Date.now() - 60_000
    await inLedger(
      acme.id,
      `insert into events (sequence, id, type, subject_id, created_at, body)
       with recursive n(i) as (select 1 union all select i + 1 from n where i < 10001)
       select i, 'evt_' || i, 'job.accepted', 'job_x', ? + i, '{}' from n`,
      start,
    )
    const { id } = await acme.listens(await newReceiver(), ['*'])

    const tooMany = await replay(acme, id, { since: new Date(start).toISOString() })
    const [rows] = await inLedger<{ n: number }>(acme.id, 'select count(*) as n from deliveries')
    const sentAt = Date.now()
    const most = await replayed(acme, id, { since: new Date(start + 2).toISOString() })
    const tookMs = Date.now() - sentAt
    await expectStatus(204, acme.client.delete(`/v1/webhook_endpoints/${id}`))

    expect([tooMany.status, tooMany.body.errors[0]?.pointer]).toEqual([400, '/since'])
    expect(tooMany.body.errors[0]?.detail).toMatch(/10000.*shorter range.*event_types.*only_failed/)
    expect(rows?.n).toBe(0)
    expect(most).toBe(10_000)
    expect(tookMs).toBeLessThan(10_000)
  })
})
