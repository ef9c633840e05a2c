import { beforeEach, describe, expect, it } from 'vitest'
import { turnDeliveries } from './drain-turn.ts'
import { Outgoing } from './outgoing.ts'
import { deliveries } from './schema.ts'
import { memoryStore } from './sqlite.fixture.ts'
import type { Db } from './store.ts'
import { addDelivery, addEndpoint, addEvent, answered, contextOf, NOW } from './webhook-rows.fixture.ts'

const attempts = [{ eventSequence: 1, ...answered(204) }]
let db: Db
beforeEach(() => {
  db = memoryStore()
  addEndpoint(db, 'we_a')
  addEvent(db, 1, 'job.accepted')
  addDelivery(db, 1, 'we_a', 'pending')
})

const andAnother = (dueAt: number) => {
  addEvent(db, 2, 'job.failed')
  addDelivery(db, 2, 'we_a', 'pending', dueAt)
}

function turned({ slots = 4, held = false } = {}) {
  const turn = { endpointId: 'we_a', attempts, slots, underway: 0 }
  const { deliveries, againInMs } = turnDeliveries(contextOf(db), turn, new Outgoing(), held)
  return [deliveries.map(({ eventSequence }) => eventSequence), againInMs]
}

describe('a turn of a drain', () => {
  it('records what was attempted, and hands out what is due', () => {
    andAnother(NOW)

    expect(turned()).toEqual([[2], null])
  })

  it('hands out no more than the drain takes', () => {
    andAnother(NOW)
    addEvent(db, 3, 'job.failed')
    addDelivery(db, 3, 'we_a', 'pending')

    expect(turned({ slots: 1 })).toEqual([[2], null])
  })

  it.each([
    ['the tenant is suspended', { held: true }],
    ['its time is up', { slots: 0 }],
  ])('records what was attempted and hands out nothing when %s', (_, more) => {
    andAnother(NOW)

    expect(turned(more)).toEqual([[], null])
    expect(db.select().from(deliveries).all()).toMatchObject([{ status: 'delivered' }, { status: 'pending' }])
  })

  it.each([
    [1, 10],
    [1000, 1000],
    [1001, null],
  ])('is followed by another where something is due in %i ms: in %s', (inMs, againInMs) => {
    andAnother(NOW + inMs)

    expect(turned()).toEqual([[], againInMs])
  })

  it('is the last where nothing is due', () => {
    expect(turned()).toEqual([[], null])
  })
})
