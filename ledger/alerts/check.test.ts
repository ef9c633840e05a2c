import { beforeEach, describe, expect, it } from 'vitest'
import { randomBytes } from '../ids.ts'
import { deliveries, events } from '../schema.ts'
import { memoryStore } from '../sqlite.fixture.ts'
import type { Db } from '../store.ts'
import { addEndpoint, contextOf, NOW } from '../webhook-rows.fixture.ts'
import { checkService } from './check.ts'
import { calm } from './reading.fixture.ts'
import type { FiguresReading, Reading } from './reading.ts'
import { listAlerts } from './rows.ts'
import { Thresholds } from './thresholds.ts'

const MINUTE = 60_000
const DAY = 1440
const thresholds = Thresholds.parse({})

let db: Db
beforeEach(() => {
  db = memoryStore()
})

const reading = (figures: Partial<FiguresReading> | null): Reading => ({
  figures: figures && { ...calm, ...figures },
  letters: { oldestOpenAt: null },
  ledgers: { silentSince: null },
  queues: [],
})
const stalled = (batchesStalled: number) => reading({ batchesStalled })

/** At a minute after the beginning. */
const check = (minute: number, read: Reading) =>
  checkService({ ...contextOf(db, NOW + minute * MINUTE), randomBytes }, read, thresholds)

const told = () =>
  db
    .select()
    .from(events)
    .all()
    .map(({ type, createdAt, body }) => [
      type,
      (createdAt - NOW) / MINUTE,
      JSON.parse(body).data.condition,
      JSON.parse(body).data.sequence,
    ])
const shown = () =>
  listAlerts(db, null, null, 10).map(({ condition, subject, value, resolvedAt }) => [
    condition,
    subject,
    value,
    resolvedAt && (resolvedAt - NOW) / MINUTE,
  ])

describe('an alert', () => {
  it('is told once, however many checks find it, with a delivery to each endpoint', () => {
    addEndpoint(db, 'we_1', { eventTypes: ['alert.*'] })
    const checked = [check(0, stalled(1)), check(0, stalled(1)), check(1, stalled(4))]

    expect(checked).toEqual([
      { opened: 1, resolved: 0, open: 1 },
      { opened: 0, resolved: 0, open: 1 },
      { opened: 0, resolved: 0, open: 1 },
    ])
    expect(told()).toEqual([['alert.opened', 0, 'stalled_batches', 1]])
    expect(db.select().from(deliveries).all()).toHaveLength(1)
    expect(shown()).toEqual([['stalled_batches', '', 4, null]])
  })

  it('is told again once a day while it lasts', () => {
    for (const minute of [0, DAY - 1, DAY, DAY + 1, 2 * DAY]) check(minute, stalled(1))

    expect(told()).toEqual([
      ['alert.opened', 0, 'stalled_batches', 1],
      ['alert.reminder', DAY, 'stalled_batches', 2],
      ['alert.reminder', 2 * DAY, 'stalled_batches', 3],
    ])
  })

  it('is resolved when it has been absent for a while, and opened anew when it comes back', () => {
    for (const minute of [0, 1]) check(minute, stalled(1))
    for (const minute of [2, 3, 4, 5, 6]) check(minute, stalled(0))
    check(7, stalled(2))

    expect(told()).toEqual([
      ['alert.opened', 0, 'stalled_batches', 1],
      ['alert.resolved', 5, 'stalled_batches', 2],
      ['alert.opened', 7, 'stalled_batches', 1],
    ])
    expect(shown()).toEqual([
      ['stalled_batches', '', 2, null],
      ['stalled_batches', '', 1, 5],
    ])
  })

  it('that comes and goes is one', () => {
    for (let minute = 0; minute < 30; minute++) check(minute, stalled(minute % 3 === 0 ? 1 : 0))

    expect(told()).toEqual([['alert.opened', 0, 'stalled_batches', 1]])
  })

  it('is not taken for absent by one check after a long pause', () => {
    check(0, stalled(1))
    check(60, stalled(0))

    expect(told()).toHaveLength(1)
  })

  it('stays as it is while nobody can say, and that is an alert too', () => {
    check(0, stalled(1))
    for (const minute of [1, 2, 3, 4, 5, 6]) check(minute, reading(null))

    expect(shown()).toEqual([
      ['check_incomplete', 'figures', 1, null],
      ['stalled_batches', '', 1, null],
    ])
  })

  it('of a rate is of what has come since, by model', () => {
    const models = (failed: number) => ({
      models: { good: count(1000 + failed, 0), bad: count(500 + failed, 100 + failed) },
    })
    check(0, reading(models(0)))
    check(1, reading(models(30)))

    expect(shown().sort()).toEqual([
      ['failure_rate', '', 0.5, null],
      ['failure_rate', 'bad', 1, null],
    ])
  })

  it('goes from the record 90 days after it was opened, but not while it is open', () => {
    check(0, reading({ batchesStalled: 1, pastDeadline: 1 }))
    for (const minute of [1, 5]) check(minute, reading({ pastDeadline: 1 }))
    check(91 * DAY, reading({ pastDeadline: 1 }))

    expect(shown()).toEqual([['jobs_past_deadline', '', 1, null]])
  })
})

const count = (ended: number, failed: number) => ({ ended, expired: 0, failed, refused: 0 })

describe('the list of alerts', () => {
  it('is of those that are open, or resolved, or both', () => {
    check(0, reading({ batchesStalled: 1, pastDeadline: 1 }))
    for (const minute of [1, 5]) check(minute, reading({ pastDeadline: 1 }))

    const names = (status: 'open' | 'resolved') =>
      listAlerts(db, status, null, 10).map(({ condition }) => condition)
    expect([names('open'), names('resolved')]).toEqual([['jobs_past_deadline'], ['stalled_batches']])
  })
})
