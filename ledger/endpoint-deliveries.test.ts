import { beforeEach, describe, expect, it } from 'vitest'
import { dueNow } from './due.ts'
import { cancelUndelivered, holdDue, orderUndelivered, sendHeld } from './endpoint-deliveries.ts'
import { deliveries, events } from './schema.ts'
import { memoryStore } from './sqlite.fixture.ts'
import type { Db } from './store.ts'

const now = 1_800_000_000_000
const states = {
  due: dueNow(now - 5000),
  tried: { status: 'pending', dueAt: now + 5000, tries: 3 },
  held: { status: 'held', dueAt: null, tries: 1 },
  delivered: { status: 'delivered', dueAt: null, tries: 1 },
  failed: { status: 'failed', dueAt: null, tries: 10 },
} as const
let db: Db

/** A delivery in each state, to two endpoints. */
beforeEach(() => {
  db = memoryStore()
  Object.values(states).forEach((state, at) => {
    const sequence = at + 1
    const event = {
      sequence,
      id: `evt_${sequence}`,
      type: 'job.accepted' as const,
      subjectId: `job_${sequence}`,
    }
    db.insert(events)
      .values({ ...event, createdAt: now, body: '{}' })
      .run()
    for (const endpointId of ['we_a', 'we_b'])
      db.insert(deliveries)
        .values({
          eventSequence: sequence,
          endpointId,
          id: `dlv_${endpointId}_${sequence}`,
          attempts: [],
          ...state,
        })
        .run()
  })
})

const rows = (endpointId = 'we_a') =>
  db
    .select()
    .from(deliveries)
    .all()
    .filter((row) => row.endpointId === endpointId)
const shown = (endpointId?: string) =>
  rows(endpointId).map(({ status, dueAt, tries }) => ({ status, dueAt, tries }))
const { due, tried, held, delivered, failed } = states

describe('the undelivered events of an endpoint', () => {
  it('are held where they are due', () => {
    holdDue(db, 'we_a')

    const off = { status: 'held', dueAt: null }
    expect(shown()).toEqual([{ ...due, ...off }, { ...tried, ...off }, held, delivered, failed])
  })

  it('are due now, in a fresh round, where they were held', () => {
    sendHeld(db, 'we_a', now)

    expect(shown()).toEqual([due, tried, dueNow(now), delivered, failed])
  })

  it('are cancelled, due or held', () => {
    cancelUndelivered(db, 'we_a')

    const off = { status: 'cancelled', dueAt: null }
    expect(shown()).toEqual([
      { ...due, ...off },
      { ...tried, ...off },
      { ...held, ...off },
      delivered,
      failed,
    ])
  })

  it('are put in order, due or held, and out of it', () => {
    const subjects = () => rows().map(({ orderedSubject }) => orderedSubject)

    orderUndelivered(db, 'we_a', true)
    expect(subjects()).toEqual(['job_1', 'job_2', 'job_3', null, null])
    orderUndelivered(db, 'we_a', false)
    expect(subjects()).toEqual([null, null, null, null, null])
  })

  it('of others stay as they are', () => {
    const before = rows('we_b')
    holdDue(db, 'we_a')
    sendHeld(db, 'we_a', now)
    orderUndelivered(db, 'we_a', true)
    cancelUndelivered(db, 'we_a')

    expect(rows('we_b')).toEqual(before)
  })
})
