import { beforeEach, describe, expect, it } from 'vitest'
import { Plan } from '../openapi/plan.ts'
import { createEndpoint, deleteEndpoint, type EndpointChange, updateEndpoint } from './endpoint-changes.ts'
import { enableEndpoint } from './endpoint-status.ts'
import { deliveries, events } from './schema.ts'
import { memoryStore } from './sqlite.fixture.ts'
import type { Db } from './store.ts'
import { subscription, subscriptions } from './subscriptions.ts'
import { addDelivery, addEndpoint, addEvent, contextOf, NOW } from './webhook-rows.fixture.ts'
import { healthy } from './webhooks/health.ts'

const failing = { ...healthy, failures: 12, failingSince: NOW - 5000, pauseMs: 5000, pausedUntil: NOW + 5000 }
const anew = { ...healthy, since: NOW }
const fields = {
  url: 'https://hooks.acme.com/',
  eventTypes: ['*'],
  description: null,
  signing: 'hmac' as const,
  ordered: false,
  maxPerSecond: null,
  headerNames: [],
  sealedHeaders: null,
  metadata: {},
}
const key = {
  id: 'whk_1',
  sealedSecret: 'secret',
  sealedSeed: 'seed',
  publicKey: 'whpk_1',
  createdAt: NOW,
  expiresAt: null,
}
let db: Db
beforeEach(() => {
  db = memoryStore()
})

/** An endpoint that does badly, and is owed the second of two events. */
function owed(more: Parameters<typeof addEndpoint>[2] = {}) {
  addEndpoint(db, 'we_a', { health: failing, ...more })
  addEvent(db, 1, 'job.accepted', { about: 'job_1' })
  addEvent(db, 2, 'job.accepted', { about: 'job_2' })
  addDelivery(db, 1, 'we_a', 'held')
  addDelivery(db, 2, 'we_a', 'pending')
}

const changed = (change: EndpointChange) => updateEndpoint(contextOf(db), 'we_a', change)
const endpoint = () => subscription(db, 'we_a')
const rows = () => db.select().from(deliveries).all()
const states = () => rows().map(({ status, dueAt }) => [status, dueAt])

describe('an endpoint', () => {
  it('that moves to another URL is another receiver, of whom nothing is known', () => {
    owed()
    changed({ url: 'https://elsewhere.acme.com/' })

    expect(endpoint()?.health).toEqual(anew)
  })

  it('that is changed and stays where it is keeps its health', () => {
    owed()
    changed({ url: 'https://hooks.acme.com/', description: 'the same' })

    expect(endpoint()).toMatchObject({ description: 'the same', health: failing })
  })

  it('that is enabled is taken for healthy, and gets what was held', () => {
    owed({ status: 'disabled', disabledReason: 'failing' })
    changed({ status: 'enabled' })

    expect(endpoint()).toMatchObject({ status: 'enabled', disabledReason: null, health: anew })
    expect(states()).toEqual([
      ['pending', NOW],
      ['pending', NOW],
    ])
  })

  it('that is enabled without what was held leaves that as it is', () => {
    owed({ status: 'disabled', disabledReason: 'failing' })
    enableEndpoint(contextOf(db), { id: 'call', key: null }, 'we_a', false)

    expect(endpoint()).toMatchObject({ status: 'enabled', health: anew })
    expect(states()).toEqual([
      ['held', null],
      ['pending', NOW],
    ])
  })

  it('that is disabled once more holds what was to be sent all the same, and is not told of again', () => {
    owed({ status: 'disabled', disabledReason: 'gone' })
    changed({ status: 'disabled' })

    expect(endpoint()).toMatchObject({ status: 'disabled', disabledReason: 'gone' })
    expect(states()).toEqual([
      ['held', null],
      ['held', null],
    ])
    expect(db.select().from(events).all()).toHaveLength(2)
  })

  it('that becomes ordered gets what waits in order too, until it is so no more', () => {
    owed()
    const subjects = () => rows().map(({ orderedSubject }) => orderedSubject)

    changed({ ordered: true })
    expect(subjects()).toEqual(['job_1', 'job_2'])
    changed({ ordered: false })
    expect(subjects()).toEqual([null, null])
  })

  it('that is deleted gets nothing more', () => {
    owed()
    addEvent(db, 3, 'job.accepted')
    addDelivery(db, 3, 'we_a', 'delivered')

    expect(endpoint()).toBeDefined()
    expect(deleteEndpoint(contextOf(db), 'we_a')).toMatchObject({ ok: true })
    expect(endpoint()).toBeUndefined()
    expect(states()).toEqual([
      ['cancelled', null],
      ['cancelled', null],
      ['delivered', null],
    ])
  })
})

describe('an endpoint that is created', () => {
  const request = { ...fields, signingKey: key }
  const create = (id: string) =>
    createEndpoint({ ...contextOf(db), plan: Plan.parse({}) }, { id, key: null }, request)

  it('is one of those that are told from then on', () => {
    expect(endpoint()).toBeUndefined()
    create('we_a')

    expect(endpoint()).toMatchObject({ ...fields, status: 'enabled', keys: [key], health: healthy })
  })

  it('is one when the call is made again, since its reply was lost', () => {
    expect(create('we_a')).toEqual(create('we_a'))
    expect([...subscriptions(db)]).toHaveLength(1)
  })

  it('is the fiftieth at most', () => {
    for (let nth = 1; nth <= 50; nth++) expect(create(`we_${nth}`)).toMatchObject({ ok: true })

    expect(create('we_51')).toMatchObject({ ok: false, refusal: { code: 'invalid-request' } })
    expect([...subscriptions(db)]).toHaveLength(50)
    expect(create('we_50')).toMatchObject({ ok: true })
  })
})
