import { beforeEach, describe, expect, it } from 'vitest'
import type { DeliveryStatus } from '../openapi/webhooks.ts'
import { retryDelivery } from './retry-delivery.ts'
import { deliveries } from './schema.ts'
import { memoryStore } from './sqlite.fixture.ts'
import type { Db } from './store.ts'
import { addDelivery, addEndpoint, addEvent, contextOf, deliveryId, NOW } from './webhook-rows.fixture.ts'

let db: Db
beforeEach(() => {
  db = memoryStore()
})

const owed = (status: DeliveryStatus) => {
  addEvent(db, 1, 'job.accepted')
  addDelivery(db, 1, 'we_a', status, status === 'pending' ? NOW + 5000 : null)
}
const retried = (id = deliveryId(1)) => retryDelivery(contextOf(db), { id: 'call', key: null }, id)
const notFound = { ok: false, refusal: { code: 'not-found' } }

describe('a retry', () => {
  it.each<['enabled' | 'disabled', DeliveryStatus]>([
    ['enabled', 'delivered'],
    ['enabled', 'failed'],
    ['enabled', 'pending'],
    ['disabled', 'held'],
  ])('to an endpoint that is %s makes a delivery that is %s due now, in a fresh round', (status, was) => {
    addEndpoint(db, 'we_a', { status })
    owed(was)

    expect(retried()).toMatchObject({ ok: true, value: { value: { status: 'pending', nextAttemptAt: NOW } } })
    expect(db.select().from(deliveries).all()).toMatchObject([{ status: 'pending', dueAt: NOW, tries: 0 }])
  })

  it.each<DeliveryStatus>(['cancelled', 'delivered'])(
    'of a delivery that is %s, to an endpoint that is gone, is refused',
    (status) => {
      owed(status)

      expect(retried()).toMatchObject(notFound)
      expect(db.select().from(deliveries).all()).toMatchObject([{ status, dueAt: null }])
    },
  )

  it.each([deliveryId(2), deliveryId(1, NOW - 1), 'dlv_x', ''])('of %j, which is none, is refused', (id) => {
    addEndpoint(db, 'we_a')
    owed('failed')

    expect(retried(id)).toMatchObject(notFound)
  })
})
