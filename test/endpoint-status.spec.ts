import { randomUUID } from 'node:crypto'
import { beforeAll, describe, expect, it } from 'vitest'
import { evict, inLedger } from './support/control.ts'
import { act, created, deliveriesOf, patch, pathOf } from './support/endpoints.ts'
import { newReceiver } from './support/receiver.ts'
import { expectStatus, newTenant, type Tenant } from './support/tenant.ts'
import { until } from './support/wait.ts'

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
  const enable = (tenant: Tenant, id: string, body?: object, headers?: Record<string, string>) =>
    act(tenant, id, '/enable', body, headers)

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

  describe('with a body', () => {
    let acme: Tenant
    let id: string
    beforeAll(async () => {
      acme = await newTenant()
      id = (await created(acme)).id
    })

    it.each([
      [{ json: { send: true } }, 400],
      [{ json: { send_held: 'no' } }, 400],
      [{ json: [] }, 400],
      [{ raw: '{', headers: { 'Content-Type': 'application/json' } }, 400],
      [{ raw: '{"send_held":false}', headers: { 'Content-Type': 'text/plain' } }, 415],
      [{ raw: '', headers: { 'Content-Type': 'application/json' } }, 200],
      [{}, 200],
    ])('as in %j is answered with %i', async (options, status) => {
      expect((await acme.client.request('POST', pathOf(id, '/enable'), options)).status).toBe(status)
    })
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
