import { describe, expect, it } from 'vitest'
import { OPERATORS } from '../ledger/operators.ts'
import { alertsOf, minutesAgo, operatorsListen, refusedModel, toldOf, toldTimes } from './support/alerts.ts'
import { evict, tick } from './support/control.ts'
import { newReceiver } from './support/receiver.ts'
import { verifiesBy } from './support/signatures.ts'
import { newTenant, operator } from './support/tenant.ts'

const alert = (model: string) => ({
  id: expect.stringMatching(/^alert_/),
  object: 'alert',
  condition: 'provider_refusals',
  subject: model,
  status: 'open',
  value: 3,
  threshold: 0,
  unit: 'count',
  opened_at: expect.any(String),
  last_seen_at: expect.any(String),
  resolved_at: null,
  runbook: 'docs/runbook.md#provider_refusals',
})

describe('an alert', () => {
  it('is told once, signed, however many checks find it, and once more when it has gone', async () => {
    const receiver = await newReceiver()
    const { secret } = await operatorsListen(receiver)
    const { model, pass } = await refusedModel(3)

    await Promise.all([tick(), tick()])
    await tick()
    const [opened] = await toldTimes(receiver, model, 1)

    expect(opened?.event).toMatchObject({ type: 'alert.opened', data: { ...alert(model), sequence: 1 } })
    expect(opened && verifiesBy(secret, opened)).toBe(true)
    expect(await alertsOf(model, 'open')).toEqual([alert(model)])

    await pass()
    await tick()
    await minutesAgo(model, 'absent_since', 4)
    await Promise.all([tick(), tick()])
    const told = await toldTimes(receiver, model, 2)

    expect(told.map(({ event }) => [event.type, event.data.sequence, event.data.status])).toEqual([
      ['alert.opened', 1, 'open'],
      ['alert.resolved', 2, 'resolved'],
    ])
    expect(await alertsOf(model, 'open')).toEqual([])
    expect(await alertsOf(model, 'resolved')).toEqual([
      { ...alert(model), status: 'resolved', resolved_at: expect.any(String) },
    ])
  })

  it('lasts while it comes and goes, and through the loss of the memory of the ledger', async () => {
    const receiver = await newReceiver()
    await operatorsListen(receiver)
    const { model, pass } = await refusedModel(3)
    await tick()

    await pass()
    await tick()
    await evict(OPERATORS)
    await tick()

    expect((await alertsOf(model, 'open')).map(({ value }) => value)).toEqual([3])
    expect(await toldTimes(receiver, model, 1)).toHaveLength(1)
  })

  it('is told again when a day has passed, once', async () => {
    const receiver = await newReceiver()
    await operatorsListen(receiver)
    const { model } = await refusedModel(3)
    await tick()

    await minutesAgo(model, 'told_at', 24 * 60)
    await Promise.all([tick(), tick()])
    await tick()

    const told = await toldTimes(receiver, model, 2)
    expect(told.map(({ event }) => [event.type, event.data.sequence])).toEqual([
      ['alert.opened', 1],
      ['alert.reminder', 2],
    ])
    expect(told[1]?.event.data.id).toBe(told[0]?.event.data.id)
  })

  it('is nothing that a tenant hears or sees of', async () => {
    const acme = await newTenant()
    const [operators, customer] = [await newReceiver(), await newReceiver()]
    await operatorsListen(operators)
    const { id } = await acme.listens(customer, ['*'])
    const { model } = await refusedModel(1)
    await tick()
    await toldTimes(operators, model, 1)

    const { id: job } = await acme.submitted()
    await customer.event('job.result_available')

    expect(toldOf(customer, model)).toEqual([])
    expect(new Set(customer.received.map(({ event }) => event.data.id))).toEqual(new Set([job]))
    expect(operators.received.filter(({ event }) => event.data.id === job)).toEqual([])
    expect((await acme.get('/v1/webhook_endpoints')).body.data.map((endpoint) => endpoint.id)).toEqual([id])
    const types = (await acme.get('/v1/events')).body.data.map(({ type }) => type)
    expect(types.filter((type) => type.startsWith('alert.'))).toEqual([])
  })
})

describe('the ledger of operators', () => {
  it('is no tenant: it is in no list, and its name is nobody else’s', async () => {
    await tick()
    const ops = await operator()

    expect((await ops.get(`/ops/v1/tenants/${OPERATORS}`)).status).toBe(404)
    const taken = await ops.post('/ops/v1/tenants', { id: OPERATORS, reason: 'a spec' })
    expect([taken.status, taken.body.errors[0]?.pointer]).toEqual([400, '/id'])
  })
})
