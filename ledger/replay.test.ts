import { beforeEach, describe, expect, it } from 'vitest'
import { type ReplayOrder, replayEvents } from './replay.ts'
import { deliveries } from './schema.ts'
import { memoryStore } from './sqlite.fixture.ts'
import type { Db } from './store.ts'
import { subscription } from './subscriptions.ts'
import { addDelivery, addEndpoint, addEvent, contextOf, deliveryId, NOW } from './webhook-rows.fixture.ts'
import { healthy } from './webhooks/health.ts'

const DAY = 86_400_000
const minutesAgo = (minutes: number) => NOW - minutes * 60_000

const order: ReplayOrder = {
  endpointId: 'we_a',
  since: minutesAgo(60),
  until: null,
  eventTypes: null,
  onlyFailed: false,
}

/** Events 1 to 6, a minute apart, the last of them now; the endpoint was told of some. */
function store(endpoint: Parameters<typeof addEndpoint>[2] = {}): Db {
  const db = memoryStore()
  addEndpoint(db, 'we_a', endpoint)
  const types = [
    'job.accepted',
    'job.failed',
    'batch.failed',
    'job.cancelled',
    'job.accepted',
    'job.failed',
  ] as const
  for (const [at, type] of types.entries())
    addEvent(db, at + 1, type, { at: minutesAgo(5 - at), about: `job_${at + 1}` })
  addDelivery(db, 1, 'we_a', 'delivered')
  addDelivery(db, 2, 'we_a', 'failed')
  addDelivery(db, 3, 'we_a', 'held')
  addDelivery(db, 4, 'we_a', 'pending', NOW - 1)
  addDelivery(db, 5, 'we_b', 'failed')
  return db
}

let db: Db
beforeEach(() => {
  db = store()
})

function replay(more: Partial<ReplayOrder> = {}) {
  const outcome = replayEvents(contextOf(db), { id: 'call-1', key: null }, { ...order, ...more })
  if (!outcome.ok) return outcome.refusal
  const due = db.select().from(deliveries).all()
  const sent = due.filter(({ endpointId, dueAt }) => endpointId === 'we_a' && dueAt === NOW)
  expect(outcome.value.value.deliveries).toBe(sent.length)
  return sent.map(({ eventSequence }) => eventSequence)
}

describe('of what waits to be tried again, a replay', () => {
  const waiting = (tries: number) => addDelivery(db, 6, 'we_a', 'pending', NOW + 5000, { tries })

  it('waits no longer', () => {
    waiting(1)
    expect(replay()).toEqual([1, 2, 3, 5, 6])
  })

  it('takes what has failed so far for failed', () => {
    waiting(1)
    expect(replay({ onlyFailed: true })).toEqual([2, 3, 6])
  })

  it('takes what was never tried for not failed', () => {
    waiting(0)
    expect(replay({ onlyFailed: true })).toEqual([2, 3])
  })
})

describe('a replay', () => {
  it.each<[string, Partial<ReplayOrder>, number[]]>([
    ['of everything, all but what is due already', {}, [1, 2, 3, 5, 6]],
    ['since a moment, with what is of that moment', { since: minutesAgo(3) }, [3, 5, 6]],
    ['until a moment, with what is of that moment', { until: minutesAgo(3) }, [1, 2, 3]],
    ['of one moment', { since: minutesAgo(3), until: minutesAgo(3) }, [3]],
    ['between events', { since: minutesAgo(3) + 1, until: minutesAgo(1) - 1 }, []],
    ['up to the future', { until: NOW + DAY }, [1, 2, 3, 5, 6]],
    ['of a type', { eventTypes: ['job.failed'] }, [2, 6]],
    ['of a family', { eventTypes: ['batch.*'] }, [3]],
    ['of what has failed or is held', { onlyFailed: true }, [2, 3]],
    ['of what has failed, of a type', { onlyFailed: true, eventTypes: ['job.*'] }, [2]],
    ['of a time without events', { since: minutesAgo(60), until: minutesAgo(50) }, []],
    [
      'of the last 30 days, though the request took a while',
      { since: NOW - 30 * DAY - 5000 },
      [1, 2, 3, 5, 6],
    ],
  ])('%s', (_, more, expected) => {
    expect(replay(more)).toEqual(expected)
  })

  it.each<[string, string[], string[] | null, number[]]>([
    ['all', ['job.failed'], null, [2, 6]],
    ['more', ['job.failed'], ['job.*'], [2, 6]],
    ['something else', ['job.failed'], ['batch.*'], []],
    ['a part', ['*'], ['job.cancelled', 'job.failed'], [2, 6]],
  ])('asked for %s keeps to what the endpoint is subscribed to', (_, eventTypes, asked, expected) => {
    db = store({ eventTypes })

    expect(replay({ eventTypes: asked })).toEqual(expected)
  })

  it('begins a fresh round, keeps the ID of a delivery that was there, and mints one where there was none', () => {
    db = store({ status: 'disabled' })
    replay()

    const rows = db.select().from(deliveries).all()
    const of = (sequence: number) =>
      rows.find((row) => row.eventSequence === sequence && row.endpointId === 'we_a')
    expect(of(2)).toMatchObject({ id: deliveryId(2), status: 'pending', dueAt: NOW, tries: 0 })
    expect(of(5)).toEqual({
      eventSequence: 5,
      endpointId: 'we_a',
      id: deliveryId(5),
      status: 'pending',
      dueAt: NOW,
      tries: 0,
      orderedSubject: null,
      attempts: [],
    })
    expect(of(4)).toMatchObject({ dueAt: NOW - 1, tries: 3 })
    expect(rows.find(({ endpointId }) => endpointId === 'we_b')).toMatchObject({
      status: 'failed',
      dueAt: null,
    })
  })

  it('is in order for an endpoint that wants order', () => {
    db = store({ ordered: true })
    replay({ since: minutesAgo(4) })

    const subjects = db
      .select()
      .from(deliveries)
      .all()
      .map(({ orderedSubject }) => orderedSubject)
    expect(subjects).toEqual([null, 'job_2', 'job_3', null, 'job_5', null, 'job_6'])
  })

  it('ends a pause of the endpoint, but not its trial', () => {
    const health = { ...healthy, failures: 12, pauseMs: 5000, pausedUntil: NOW + 5000 }
    db = store({ health })
    replay()

    expect(subscription(db, 'we_a')?.health).toEqual({ ...health, pausedUntil: null })
  })

  it('never tells an endpoint about itself', () => {
    addEvent(db, 7, 'webhook_endpoint.failing', { about: 'we_a' })
    addEvent(db, 8, 'webhook_endpoint.failing', { about: 'we_b' })

    expect(replay({ since: minutesAgo(1) })).toEqual([5, 6, 8])
  })

  it.each<[string, Partial<ReplayOrder>, string]>([
    ['that begins in the future', { since: NOW + 1, until: NOW + 2 }, '/since'],
    ['that begins before events are kept', { since: NOW - 31 * DAY }, '/since'],
    ['that ends before it begins', { since: minutesAgo(1), until: minutesAgo(2) }, '/until'],
    ['that ends a moment before it begins', { since: minutesAgo(1), until: minutesAgo(1) - 1 }, '/until'],
  ])('of a range %s is refused', (_, more, pointer) => {
    expect(replay(more)).toMatchObject({ code: 'invalid-request', errors: [{ pointer }] })
  })

  it('of an unknown endpoint is refused', () => {
    expect(replay({ endpointId: 'we_none' })).toMatchObject({ code: 'not-found' })
  })

  it('of more than 10,000 at once is refused, with nothing written, and one of 10,000 is not', () => {
    for (let sequence = 7; sequence <= 10_006; sequence++) addEvent(db, sequence, 'job.accepted')

    expect(replay()).toMatchObject({
      code: 'invalid-request',
      errors: [{ pointer: '/since', detail: expect.stringContaining('only_failed') }],
    })
    expect(db.select().from(deliveries).all()).toHaveLength(5)
    expect(replay({ since: NOW, eventTypes: ['job.accepted'] })).toHaveLength(10_000)
  })
})

describe('a replay of a range with more events than can be looked at', () => {
  it('is refused', () => {
    addEvent(db, 1_000_002, 'job.accepted')

    expect(replay({ onlyFailed: true })).toMatchObject({ errors: [{ pointer: '/since' }] })
    expect(replay({ since: minutesAgo(3), onlyFailed: true })).toEqual([3])
  })
})

describe('a replay under an idempotency key', () => {
  const key = { hash: 'hash', fingerprint: 'print' }
  const ask = (call: object = {}, more: Partial<ReplayOrder> = {}) =>
    replayEvents(contextOf(db), { id: 'call-1', key, ...call }, { ...order, ...more })

  it('is done once, and answered alike ever after', () => {
    const first = ask()

    expect(first).toEqual({ ok: true, value: { value: { deliveries: 5 }, replayed: false } })
    expect(ask({ id: 'call-2' })).toEqual({ ok: true, value: { value: { deliveries: 5 }, replayed: true } })
    expect(ask()).toEqual(first)
  })

  it('is refused for another request, and not used up by a refusal', () => {
    expect(ask({}, { since: NOW + 1 })).toMatchObject({ ok: false })
    expect(ask()).toMatchObject({ ok: true })
    expect(ask({ key: { ...key, fingerprint: 'other' } })).toMatchObject({
      refusal: { code: 'idempotency-key-reused' },
    })
  })
})
