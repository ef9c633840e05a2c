import { beforeEach, describe, expect, it } from 'vitest'
import { appendEndpointEvent, appendEvent } from './events.ts'
import type { JobRecord } from './jobs.ts'
import { deliveries, events } from './schema.ts'
import { memoryStore } from './sqlite.fixture.ts'
import type { Db } from './store.ts'
import { type Subscription, subscription } from './subscriptions.ts'
import { addEndpoint, contextOf, NOW } from './webhook-rows.fixture.ts'

let db: Db
beforeEach(() => {
  db = memoryStore()
})

const context = () => ({ ...contextOf(db), settings: { baseUrl: 'https://api.acme.com' } }) as never

const accepted = (metadata: Record<string, string> = {}, more: Partial<JobRecord> = {}) =>
  appendEvent(context(), {
    id: 'job_1',
    kind: 'embed',
    status: 'accepted',
    sequence: 1,
    metadata,
    ...more,
  } as JobRecord)

const owed = () =>
  db
    .select()
    .from(deliveries)
    .all()
    .map(({ endpointId, status, dueAt }) => [endpointId, status, dueAt])

describe('an event', () => {
  it('is owed to every endpoint that wants it, and held for one that is disabled', () => {
    addEndpoint(db, 'we_all')
    addEndpoint(db, 'we_batches', { eventTypes: ['batch.*'] })
    addEndpoint(db, 'we_off', { eventTypes: ['job.accepted'], status: 'disabled' })
    accepted()

    expect(owed()).toEqual([
      ['we_all', 'pending', NOW],
      ['we_off', 'held', null],
    ])
  })

  it('is none of a job that is an item of a batch, or in a state that nobody is told of', () => {
    addEndpoint(db, 'we_all')
    accepted({}, { batchId: 'bat_1' })
    accepted({}, { status: 'running' })

    expect([owed(), db.select().from(events).all()]).toEqual([[], []])
  })

  it('keeps its place in the order of its subject where the endpoint wants order', () => {
    addEndpoint(db, 'we_any')
    addEndpoint(db, 'we_ordered', { ordered: true })
    accepted()

    const subjects = db.select().from(deliveries).all()
    expect(subjects.map(({ orderedSubject }) => orderedSubject)).toEqual([null, 'job_1'])
  })

  it('about an endpoint is owed to the others', () => {
    addEndpoint(db, 'we_a')
    addEndpoint(db, 'we_b')
    const about = subscription(db, 'we_a') as Subscription
    appendEndpointEvent(context(), about, 'webhook_endpoint.failing', 'timeout')

    expect(owed()).toEqual([['we_b', 'pending', NOW]])
  })
})

describe('the body of an event', () => {
  const bytesOf = (text: string) => new TextEncoder().encode(text).length
  /** As much metadata as makes a body of this many bytes, in characters of three bytes as far as they go. */
  function bodyWith(bytes: number): string {
    accepted({ note: '' })
    const rest = bytes - bytesOf(db.select().from(events).all().at(-1)?.body ?? '')
    accepted({ note: '好'.repeat(Math.floor(rest / 3)) + 'x'.repeat(rest % 3) })
    return db.select().from(events).all().at(-1)?.body ?? ''
  }

  it('holds the metadata up to 20 kB, whatever its characters', () => {
    const body = bodyWith(20_000)

    expect(bytesOf(body)).toBe(20_000)
    expect(JSON.parse(body).data).not.toHaveProperty('metadata_omitted')
  })

  it('leaves the metadata out beyond, and says so', () => {
    const body = bodyWith(20_001)

    expect(bytesOf(body)).toBeLessThan(1000)
    expect(JSON.parse(body).data).toMatchObject({ id: 'job_1', metadata: {}, metadata_omitted: true })
  })
})
