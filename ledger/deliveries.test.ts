import { beforeEach, describe, expect, it } from 'vitest'
import type { DeliveryStatus } from '../openapi/webhooks.ts'
import { type LedgerContext, newTally } from './context.ts'
import { handOut, nextDelivery } from './deliveries.ts'
import { recordAttempts } from './delivery-records.ts'
import { dueNow } from './due.ts'
import { randomBytes } from './ids.ts'
import { Outgoing } from './outgoing.ts'
import { deliveries, events, webhookEndpoints } from './schema.ts'
import { memoryStore } from './sqlite.fixture.ts'
import type { Db } from './store.ts'
import { type Subscription, subscription } from './subscriptions.ts'
import { healthy } from './webhooks/health.ts'

const now = 1_800_000_000_000
let db: Db
let outgoing: Outgoing

const at = (moment: number) =>
  ({
    db,
    now: moment,
    random: () => 0,
    randomBytes,
    identity: { tenantId: 'acme', shard: 0 },
    tally: newTally(),
  }) as LedgerContext

function endpoint(more: Partial<Subscription> = {}): void {
  const row: Subscription = {
    id: 'we_a',
    url: 'https://example.com/',
    eventTypes: ['job.*'],
    description: null,
    status: 'enabled',
    disabledReason: null,
    signing: 'hmac',
    keys: [],
    ordered: false,
    maxPerSecond: null,
    headerNames: [],
    sealedHeaders: null,
    health: healthy,
    sequence: 0,
    metadata: {},
    createdAt: now,
    ...more,
  }
  db.insert(webhookEndpoints).values(row).run()
}

/** An event about a subject, and its delivery to the endpoint. */
function owed(sequence: number, subject: string, more: Partial<typeof deliveries.$inferInsert> = {}): void {
  const event = { sequence, id: `evt_${sequence}`, type: 'job.accepted' as const, subjectId: subject }
  db.insert(events)
    .values({ ...event, createdAt: now, body: '{}' })
    .run()
  const id = `dlv_${sequence}`
  const row = { eventSequence: sequence, endpointId: 'we_a', id, attempts: [], ...dueNow(now), ...more }
  db.insert(deliveries).values(row).run()
}

const handed = (moment = now, most = 4) =>
  handOut(at(moment), 'we_a', most, outgoing).deliveries.map(({ eventSequence }) => eventSequence)

function recorded(eventSequence: number, status_code: number | null, moment = now): void {
  const error = status_code === 204 ? null : 'http_status'
  const attempt = {
    at: moment,
    status_code,
    error,
    latency_ms: 1,
    response_excerpt: null,
    response_truncated: false,
  }
  recordAttempts(at(moment), 'we_a', [{ eventSequence, attempt, retryAfterMs: null }], outgoing)
}

const rows = () => db.select().from(deliveries).all()

beforeEach(() => {
  db = memoryStore()
  outgoing = new Outgoing()
})

describe('due deliveries', () => {
  it('are handed out oldest first, four at a time, none twice', () => {
    endpoint()
    for (const sequence of [5, 4, 3, 2, 1]) owed(sequence, `job_${sequence}`)

    expect([handed(), handed()]).toEqual([[1, 2, 3, 4], []])
    recorded(2, 204)
    expect(handed()).toEqual([5])
  })

  it('are handed out again once an attempt is lost', () => {
    endpoint()
    owed(1, 'job_1')

    expect([handed(), handed(now + 29_999), handed(now + 30_000)]).toEqual([[1], [], [1]])
  })

  it('that are out are looked after when they count as lost, and those to come when they are due', () => {
    endpoint()
    owed(1, 'job_1')
    const next = () => nextDelivery(db, subscription(db, 'we_a') as Subscription, outgoing, now)
    handed()

    expect(next()).toBe(now + 30_000)
    owed(2, 'job_2', { dueAt: now + 60_000 })
    expect(next()).toBe(now + 30_000)
    owed(3, 'job_3', { dueAt: now + 5000 })
    expect(next()).toBe(now + 5000)
  })

  it('are looked after when the endpoint takes them', () => {
    endpoint({ health: { ...healthy, failures: 10, pauseMs: 5000, pausedUntil: now + 5000 } })
    owed(1, 'job_1')

    expect(nextDelivery(db, subscription(db, 'we_a') as Subscription, outgoing, now)).toBe(now + 5000)
  })

  it('are none to an endpoint that is not there', () => {
    owed(1, 'job_1')

    expect(handed()).toEqual([])
  })

  it('are made to a disabled endpoint, if someone wants it', () => {
    endpoint({ status: 'disabled' })
    owed(1, 'job_1')
    owed(2, 'job_2', { status: 'held', dueAt: null })

    expect(handed()).toEqual([1])
    recorded(1, 500)
    expect(rows()[0]).toMatchObject({ status: 'held', dueAt: null })
  })
})

describe('an ordered endpoint', () => {
  const [later, job, other] = [now + 5000, { orderedSubject: 'job_1' }, { orderedSubject: 'job_2' }]

  it('gets the events of one job one after the other, those of others beside them', () => {
    endpoint({ ordered: true })
    owed(1, 'job_1', job)
    owed(2, 'job_1', job)
    owed(3, 'job_2', other)
    owed(4, 'job_1', job)

    expect(handed()).toEqual([1, 3])
    recorded(1, 204)
    expect(handed()).toEqual([2])
  })

  it('gets no later event while an earlier one waits for its retry', () => {
    endpoint({ ordered: true })
    owed(1, 'job_1', job)
    owed(2, 'job_1', job)
    expect(handed()).toEqual([1])
    recorded(1, 500)

    const next = () => nextDelivery(db, subscription(db, 'we_a') as Subscription, outgoing, now)
    expect([handed(), next()]).toEqual([[], later])
    expect(handed(later)).toEqual([1])
  })

  it('does not wait for what another endpoint is owed', () => {
    endpoint({ ordered: true })
    owed(1, 'job_1', { ...job, endpointId: 'we_b' })
    owed(2, 'job_1', job)

    expect(handed()).toEqual([2])
  })

  it.each<DeliveryStatus>(['delivered', 'failed', 'cancelled', 'held'])(
    'does not wait for one that is %s',
    (status) => {
      endpoint({ ordered: true })
      owed(1, 'job_1', { ...job, status, dueAt: null })
      owed(2, 'job_1', job)

      expect(handed()).toEqual([2])
    },
  )
})
