import { beforeEach, describe, expect, it } from 'vitest'
import type { DeliveryStatus } from '../openapi/webhooks.ts'
import { recordAttempts } from './delivery-records.ts'
import { dueNow } from './due.ts'
import { Outgoing } from './outgoing.ts'
import { deliveries } from './schema.ts'
import { memoryStore } from './sqlite.fixture.ts'
import type { Db } from './store.ts'
import { subscription } from './subscriptions.ts'
import { addDelivery, addEndpoint, addEvent, answered, contextOf, NOW } from './webhook-rows.fixture.ts'
import type { Exchanged } from './webhooks/exchange.ts'
import { healthy } from './webhooks/health.ts'

let db: Db
beforeEach(() => {
  db = memoryStore()
})

const owed = (status: DeliveryStatus = 'pending', tries = 0) => {
  addEvent(db, 1, 'job.accepted')
  addDelivery(db, 1, 'we_a', status, status === 'pending' ? NOW : null, { tries })
}

const recorded = (exchanged: Exchanged, eventSequence = 1) =>
  recordAttempts(contextOf(db), 'we_a', [{ eventSequence, ...exchanged }], new Outgoing())

const rows = () => db.select().from(deliveries).all()

describe('an attempt that is recorded', () => {
  it.each<[DeliveryStatus, number | null, DeliveryStatus]>([
    ['pending', 204, 'delivered'],
    ['pending', 500, 'pending'],
    ['pending', null, 'pending'],
    ['held', 204, 'delivered'],
    ['held', 500, 'held'],
    ['cancelled', 204, 'cancelled'],
    ['delivered', 500, 'delivered'],
    ['failed', 204, 'delivered'],
  ])('of a delivery that is %s by then, with %s, leaves it %s', (status, answer, after) => {
    addEndpoint(db, 'we_a')
    owed(status)
    recorded(answered(answer))

    const [row] = rows()
    expect([row?.status, row?.attempts.length]).toEqual([after, 1])
    expect(row?.dueAt).toBe(after === 'pending' ? NOW + 5000 : null)
  })

  it.each([
    [2000, NOW + 5000],
    [3_600_000, NOW + 3_600_000],
  ])('is followed by another, no sooner than the receiver asks: in %i ms', (retryAfterMs, dueAt) => {
    addEndpoint(db, 'we_a')
    owed()
    recorded(answered(503, { retryAfterMs }))

    expect(rows()[0]).toMatchObject({ status: 'pending', dueAt, tries: 1 })
  })

  it('twice, since the reply was lost, counts once', () => {
    addEndpoint(db, 'we_a')
    owed()
    recorded(answered(500))
    recorded(answered(500))

    expect(rows()[0]).toMatchObject({ tries: 1, attempts: [{ status_code: 500 }] })
    expect(subscription(db, 'we_a')?.health.failures).toBe(1)
  })

  it.each(['lookup_unavailable', 'signing_key_unavailable'])(
    'as %s, a fault of ours, is tried again and says nothing about the endpoint',
    (error) => {
      addEndpoint(db, 'we_a')
      owed()
      recorded(answered(null, { error }))

      expect(rows()[0]).toMatchObject({ status: 'pending', tries: 1 })
      expect(subscription(db, 'we_a')?.health).toEqual(healthy)
    },
  )

  it('to an endpoint that is disabled is not followed by another', () => {
    addEndpoint(db, 'we_a', { status: 'disabled' })
    owed()
    recorded(answered(500))

    expect(rows()[0]).toMatchObject({ status: 'held', dueAt: null, tries: 1 })
  })

  it('ends the delivery after the tenth of its round', () => {
    addEndpoint(db, 'we_a')
    owed('pending', 9)
    recorded(answered(500))

    expect(rows()[0]).toMatchObject({ status: 'failed', dueAt: null, tries: 10 })
  })

  it('is kept with the last of many', () => {
    addEndpoint(db, 'we_a')
    owed()
    for (let nth = 0; nth < 30; nth++) {
      db.update(deliveries).set(dueNow(NOW)).run()
      recorded(answered(500, { at: NOW + nth }))
    }

    expect(rows()[0]?.attempts.map((one) => one.at - NOW)).toEqual(
      Array.from({ length: 25 }, (_, nth) => nth + 5),
    )
  })

  it('is nothing where the delivery is no longer on record', () => {
    addEndpoint(db, 'we_a')
    recorded(answered(204), 7)

    expect(rows()).toEqual([])
  })
})
