import { describe, expect, it } from 'vitest'
import { newReceiver, type Received } from './support/receiver.ts'
import { newTenant, summarizeJob } from './support/tenant.ts'

/** The types of the events about a job, in the order in which they came. */
const told = (received: Received[], id: string) =>
  received.filter(({ event }) => event.data.id === id).map(({ event }) => event.type)

describe('an ordered endpoint', () => {
  it('gets the events of a job strictly in order, however often the first has to be tried', async () => {
    const acme = await newTenant()
    const receiver = await newReceiver((nth) => (nth === 0 ? 500 : 204))
    await acme.listens(receiver, ['job.*'], { ordered: true })
    const first = await acme.submitted()
    await receiver.arrived(1)
    const second = await acme.submitted()
    await receiver.arrived(5)

    expect(told(receiver.received, first.id)).toEqual([
      'job.accepted',
      'job.accepted',
      'job.result_available',
    ])
    expect(told(receiver.received, second.id)).toEqual(['job.accepted', 'job.result_available'])
    const at = (id: string) => receiver.received.findLast(({ event }) => event.data.id === id)?.at ?? 0
    expect(at(second.id)).toBeLessThan(at(first.id))
  })

  it('is what others are not: there the end of a job overtakes its beginning', async () => {
    const acme = await newTenant()
    const receiver = await newReceiver((nth) => (nth === 0 ? 500 : 204))
    await acme.listens(receiver, ['job.*'])
    const { id } = await acme.submitted()
    await receiver.arrived(3)

    expect(told(receiver.received, id)).toEqual(['job.accepted', 'job.result_available', 'job.accepted'])
    expect(receiver.received.map(({ event }) => event.data.sequence)).toEqual([1, 2, 1])
  })

  it('becomes one by a change, for what it is owed already', async () => {
    const acme = await newTenant()
    const receiver = await newReceiver((nth) => (nth === 0 ? 500 : 204))
    const { id: endpointId } = await acme.listens(receiver, ['job.*'])
    const { id } = await acme.submitted(summarizeJob({ model: 'test/slow' }))
    await receiver.arrived(1)

    await acme.client.request('PATCH', `/v1/webhook_endpoints/${endpointId}`, { json: { ordered: true } })
    await receiver.arrived(3)

    expect(told(receiver.received, id)).toEqual(['job.accepted', 'job.accepted', 'job.result_available'])
  })
})

describe('an endpoint with a pace of its own', () => {
  it('gets what it wants in a second, and all in the end', async () => {
    const acme = await newTenant()
    const receiver = await newReceiver()
    await acme.listens(receiver, ['job.accepted'], { max_per_second: 1 })
    for (let nth = 0; nth < 6; nth++) await acme.submitted()
    const times = (await receiver.arrived(6)).map(({ at }) => at)

    // What is sent a second apart may arrive closer together now and then, but not as a rule.
    const gaps = times.slice(1).map((at, nth) => at - (times[nth] ?? 0))
    expect(gaps.toSorted((a, b) => a - b)[2]).toBeGreaterThan(900)
    expect((times.at(-1) ?? 0) - (times[0] ?? 0)).toBeGreaterThan(3000)
  })
})
