import { beforeEach, describe, expect, it } from 'vitest'
import { noteAttempts } from './endpoint-standing.ts'
import { deliveries, events } from './schema.ts'
import { memoryStore } from './sqlite.fixture.ts'
import type { Db } from './store.ts'
import { type Subscription, subscription } from './subscriptions.ts'
import { addDelivery, addEndpoint, addEvent, answered, contextOf, NOW } from './webhook-rows.fixture.ts'
import type { Exchanged } from './webhooks/exchange.ts'
import { healthy } from './webhooks/health.ts'

const DAY = 86_400_000
let db: Db
beforeEach(() => {
  db = memoryStore()
})

const endpoint = () => subscription(db, 'we_a') as Subscription
const noted = (...attempts: Exchanged[]) => noteAttempts(contextOf(db), endpoint(), attempts)
const told = () =>
  db
    .select()
    .from(events)
    .all()
    .filter(({ subjectId }) => subjectId === 'we_a')
    .map(({ type, body }) => [type, JSON.parse(body).data.last_error])

const failingFor = (days: number, warnedDaysAgo: number | null) => ({
  ...healthy,
  failures: 3,
  failingSince: NOW - days * DAY,
  warnedAt: warnedDaysAgo === null ? null : NOW - warnedDaysAgo * DAY,
})

describe('a 410', () => {
  it('disables the endpoint whatever else it answered, holds what it is owed, and is told with the last error', () => {
    addEndpoint(db, 'we_a')
    addEvent(db, 1, 'job.accepted')
    addDelivery(db, 1, 'we_a', 'pending', NOW + 5000)
    noted(answered(null), answered(410), answered(204))

    expect(endpoint()).toMatchObject({ status: 'disabled', disabledReason: 'gone' })
    expect(db.select().from(deliveries).all()).toMatchObject([{ status: 'held', dueAt: null }])
    expect(told()).toEqual([['webhook_endpoint.disabled', 'http_status']])
  })

  it('of an endpoint that is disabled says nothing new', () => {
    addEndpoint(db, 'we_a', { status: 'disabled', disabledReason: 'requested' })
    noted(answered(410))

    expect(endpoint()).toMatchObject({ status: 'disabled', disabledReason: 'requested' })
    expect(told()).toEqual([])
  })
})

describe('events about an endpoint', () => {
  it('are numbered', () => {
    addEndpoint(db, 'we_a', { health: failingFor(1, null) })
    noted(answered(500))
    noted(answered(410))

    const bodies = db.select().from(events).all()
    expect(bodies.map(({ body }) => JSON.parse(body).data.sequence)).toEqual([1, 2])
  })
})

describe('an attempt', () => {
  it.each([
    [NOW - 1, 0],
    [NOW, 1],
  ])('from before the endpoint was enabled, or moved, says nothing (%i: %i)', (at, failures) => {
    addEndpoint(db, 'we_a', { health: { ...healthy, since: NOW } })
    noted(answered(500, { at }))

    expect(endpoint().health).toMatchObject({ since: NOW, failures })
  })

  it('slows a disabled endpoint as well', () => {
    addEndpoint(db, 'we_a', { status: 'disabled', disabledReason: 'gone' })
    noted(answered(503))

    expect(endpoint()).toMatchObject({ status: 'disabled', health: { pausedUntil: NOW + 5000 } })
  })
})

describe('failures without an end', () => {
  it('are told once after a day', () => {
    addEndpoint(db, 'we_a', { health: failingFor(1, null) })
    noted(answered(500))
    noted(answered(null))

    expect(endpoint()).toMatchObject({ status: 'enabled', health: { warnedAt: NOW } })
    expect(told()).toEqual([['webhook_endpoint.failing', 'http_status']])
  })

  it('disable the endpoint after five days', () => {
    addEndpoint(db, 'we_a', { health: failingFor(5, 4) })
    noted(answered(null))

    expect(endpoint()).toMatchObject({ status: 'disabled', disabledReason: 'failing' })
    expect(told()).toEqual([['webhook_endpoint.disabled', 'timeout']])
  })

  it.each([
    ['warn', failingFor(1, null)],
    ['disable', failingFor(5, 4)],
  ])('of a disabled endpoint do not %s', (_, health) => {
    addEndpoint(db, 'we_a', { status: 'disabled', disabledReason: 'requested', health })
    noted(answered(500))

    expect(endpoint()).toMatchObject({
      disabledReason: 'requested',
      health: { failures: 4, warnedAt: health.warnedAt },
    })
    expect(told()).toEqual([])
  })
})
