import { beforeEach, describe, expect, it } from 'vitest'
import {
  type DeliveryFilter,
  deliveriesAbout,
  findDelivery,
  listDeliveries,
  type Span,
} from './delivery-lists.ts'
import { memoryStore } from './sqlite.fixture.ts'
import type { Db } from './store.ts'
import { addDelivery, addEndpoint, addEvent, deliveryId, eventId, NOW } from './webhook-rows.fixture.ts'
import { healthy } from './webhooks/health.ts'

const all: DeliveryFilter = { endpointId: null, status: null, eventType: null, eventId: null }

let db: Db
beforeEach(() => {
  db = memoryStore()
  for (const id of ['we_a', 'we_b']) addEndpoint(db, id)
  addEvent(db, 1, 'job.accepted')
  addEvent(db, 2, 'job.failed')
  addEvent(db, 3, 'job.failed')
  addDelivery(db, 1, 'we_a', 'delivered')
  addDelivery(db, 2, 'we_a', 'failed')
  addDelivery(db, 2, 'we_b', 'held')
  addDelivery(db, 3, 'we_b', 'pending')
})

const shown = (filter: Partial<DeliveryFilter>, limit = 10) =>
  listDeliveries(db, { ...all, ...filter }, null, limit).deliveries.map(
    ({ eventId: event, endpointId }) => `${[1, 2, 3].find((n) => eventId(n) === event)} ${endpointId}`,
  )

describe('the deliveries about a batch', () => {
  it('are those of its events, told when it began and when it ended', () => {
    const at = NOW + 1000
    addEvent(db, 4, 'batch.accepted', { at, about: 'batch_a' })
    addEvent(db, 5, 'batch.accepted', { at, about: 'batch_b' })
    addEvent(db, 6, 'batch.failed', { at: at + 5, about: 'batch_a' })
    for (const sequence of [4, 5, 6]) addDelivery(db, sequence, 'we_a', 'delivered')
    addDelivery(db, 6, 'we_b', 'held')

    const told = (...spans: Span[]) =>
      deliveriesAbout(db, 'batch_a', spans).map(({ eventType, endpointId }) => `${eventType} ${endpointId}`)

    expect(told([at, at], [at + 5, at + 5])).toEqual([
      'batch.accepted we_a',
      'batch.failed we_a',
      'batch.failed we_b',
    ])
    expect(told([at - 9, at + 4])).toEqual(['batch.accepted we_a'])
    expect(told([at - 9, at + 5])).toHaveLength(3)
    expect(told([at + 1, at + 4])).toEqual([])
  })
})

describe('a list of deliveries', () => {
  it.each<[Partial<DeliveryFilter>, string[]]>([
    [{}, ['3 we_b', '2 we_b', '2 we_a', '1 we_a']],
    [{ endpointId: 'we_a' }, ['2 we_a', '1 we_a']],
    [{ endpointId: 'we_none' }, []],
    [{ status: 'failed' }, ['2 we_a']],
    [{ eventType: 'job.failed' }, ['3 we_b', '2 we_b', '2 we_a']],
    [{ eventId: eventId(2) }, ['2 we_b', '2 we_a']],
    [{ eventId: eventId(2), endpointId: 'we_a', status: 'failed', eventType: 'job.failed' }, ['2 we_a']],
    [{ eventId: eventId(2), status: 'delivered' }, []],
    [{ eventId: eventId(2, NOW + 1) }, []],
    [{ eventId: deliveryId(2) }, []],
    [{ eventId: 'nonsense' }, []],
  ])('filtered by %j is %j', (filter, expected) => {
    expect(shown(filter)).toEqual(expected)
  })

  it('goes on behind each page, also between the deliveries of one event', () => {
    const first = listDeliveries(db, all, null, 2)
    const next = listDeliveries(db, all, first.nextAfter, 2)

    expect(first.nextAfter).toEqual({ eventSequence: 2, endpointId: 'we_b' })
    expect(next.deliveries.map(({ status }) => status)).toEqual(['failed', 'delivered'])
    expect(next.nextAfter).toBeNull()
  })

  it('examines at most 5,000 for a page, and goes on behind them', () => {
    for (let sequence = 4; sequence <= 6000; sequence++) {
      addEvent(db, sequence, 'job.accepted')
      addDelivery(db, sequence, 'we_b', 'delivered')
    }

    const first = listDeliveries(db, { ...all, status: 'failed' }, null, 10)
    const second = listDeliveries(db, { ...all, status: 'failed' }, first.nextAfter, 10)

    expect(first).toEqual({ deliveries: [], nextAfter: { eventSequence: 1001, endpointId: 'we_b' } })
    expect(second.deliveries.map(({ id }) => id)).toEqual([deliveryId(2)])
    expect(second.nextAfter).toBeNull()
  })
})

describe('the next attempt', () => {
  const nextAttempt = () => findDelivery(db, deliveryId(3))?.nextAttemptAt

  it.each([
    ['when the delivery is due', null, NOW],
    ['when it is due, though a pause of the endpoint ended before', NOW - 1, NOW],
    ['when the pause of the endpoint ends', NOW + 5000, NOW + 5000],
  ])('is %s', (_, pausedUntil, expected) => {
    db = memoryStore()
    addEndpoint(db, 'we_b', { health: { ...healthy, pausedUntil } })
    addEvent(db, 3, 'job.failed')
    addDelivery(db, 3, 'we_b', 'pending')

    expect(nextAttempt()).toBe(expected)
  })

  it('is none of a delivery that is not pending', () => {
    expect(listDeliveries(db, all, null, 10).deliveries.map((one) => one.nextAttemptAt)).toEqual([
      NOW,
      null,
      null,
      null,
    ])
  })
})

describe('a delivery', () => {
  it('is found by its ID alone, also when its endpoint is gone', () => {
    addEvent(db, 7, 'job.cancelled')
    addDelivery(db, 7, 'we_gone', 'cancelled')

    expect(findDelivery(db, deliveryId(7))).toEqual({
      id: deliveryId(7),
      eventId: eventId(7),
      eventType: 'job.cancelled',
      endpointId: 'we_gone',
      status: 'cancelled',
      attempts: [],
      nextAttemptAt: null,
    })
  })

  it.each([
    ['of a number that there is not', deliveryId(9)],
    ['of another time', deliveryId(2, NOW + 1)],
    ['of an event', eventId(2)],
    ['of no form', 'dlv_x'],
  ])('is not found by an ID %s', (_, id) => {
    expect(findDelivery(db, id)).toBeUndefined()
  })
})
