import { describe, expect, it } from 'vitest'
import { type Condition, judgeConditions } from './judge.ts'
import { calm } from './reading.fixture.ts'
import type { FiguresReading, ModelCounts, Reading } from './reading.ts'
import { Thresholds } from './thresholds.ts'
import type { Growth } from './window.ts'

const NOW = Date.UTC(2026, 10, 30)
const ago = (seconds: number) => NOW - seconds * 1000
const DAY = 86_400

const reading: Reading = {
  figures: calm,
  letters: { oldestOpenAt: null },
  ledgers: { silentSince: null },
  queues: [{ queue: 'jobs', oldestAt: null }],
}
const figures = (more: Partial<FiguresReading>) => ({ figures: { ...calm, ...more } })

const counts = (ended: number, more: Partial<ModelCounts> = {}): ModelCounts => ({
  ended,
  expired: 0,
  failed: 0,
  refused: 0,
  ...more,
})
const grown = (models: Record<string, ModelCounts>, webhooks = { attempts: 0, failed: 0 }): Growth => ({
  models: new Map(Object.entries(models)),
  webhooks,
})

const found = (more: Partial<Reading>, growth: Growth | null = null, thresholds: object = {}) =>
  judgeConditions({ ...reading, ...more }, growth, Thresholds.parse(thresholds), NOW).found
const said = ({ condition, subject, value, threshold }: Condition) => [condition, subject, value, threshold]

describe('a condition', () => {
  it.each<[string, Partial<Reading>, [string, string | null, number, number]]>([
    ['a job that waits', figures({ oldestWaitingAt: ago(3601) }), ['oldest_waiting_job', null, 3601, 3600]],
    [
      'a job that does not end',
      figures({ oldestUnfinishedAt: ago(2 * DAY + 1) }),
      ['oldest_unfinished_job', null, 2 * DAY + 1, 2 * DAY],
    ],
    ['a job past its deadline', figures({ pastDeadline: 1 }), ['jobs_past_deadline', null, 1, 0]],
    ['batches that have stalled', figures({ batchesStalled: 3 }), ['stalled_batches', null, 3, 0]],
    [
      'a dead letter that nobody looked at',
      { letters: { oldestOpenAt: ago(2 * DAY + 60) } },
      ['oldest_open_dead_letter', null, 2 * DAY + 60, 2 * DAY],
    ],
    [
      'a queue that is behind',
      { queues: [{ queue: 'jobs-slow', oldestAt: ago(901) }] },
      ['queue_backlog_age', 'jobs-slow', 901, 900],
    ],
    ['a ledger that is silent', { ledgers: { silentSince: ago(700) } }, ['silent_ledger', null, 700, 600]],
  ])('is %s', (_, more, expected) => {
    expect(found(more).map(said)).toEqual([expected])
  })

  it.each<[string, Partial<Reading>]>([
    ['all is calm', {}],
    ['a job waits as long as it may', figures({ oldestWaitingAt: ago(3600) })],
    ['a dead letter is young', { letters: { oldestOpenAt: ago(2 * DAY) } }],
    ['a queue keeps up', { queues: [{ queue: 'jobs', oldestAt: ago(30) }] }],
  ])('is none when %s', (_, more) => {
    expect(found(more)).toEqual([])
  })

  it.each<[string, Growth, (string | number | null)[][]]>([
    ['of jobs that expire', grown({ m: counts(20, { expired: 2 }) }), [['expiry_rate', 'm', 0.1, 0.05]]],
    [
      'of failures, over all and by model',
      grown({ bad: counts(40, { failed: 30 }), good: counts(40) }),
      [
        ['failure_rate', null, 0.375, 0.2],
        ['failure_rate', 'bad', 0.75, 0.2],
      ],
    ],
    [
      'of failures at many models of which each says too little',
      grown({ a: counts(12, { failed: 6 }), b: counts(12, { failed: 6 }) }),
      [['failure_rate', null, 0.5, 0.2]],
    ],
    ['of two, of which one failed: too few', grown({ m: counts(2, { failed: 1 }) }), []],
    ['of many, of which few failed', grown({ m: counts(1000, { failed: 200, expired: 50 }) }), []],
    [
      'of refusals by a provider, however few',
      grown({ m: counts(1, { failed: 1, refused: 1 }) }),
      [['provider_refusals', 'm', 1, 0]],
    ],
    [
      'of webhooks that fail',
      grown({}, { attempts: 300, failed: 200 }),
      [['webhook_failure_rate', null, 0.6667, 0.5]],
    ],
    ['of webhooks that mostly arrive', grown({}, { attempts: 300, failed: 150 }), []],
  ])('is a growth %s', (_, growth, expected) => {
    expect(found({}, growth).map(said)).toEqual(expected)
  })

  it('has the threshold that is configured, or none', () => {
    const waits = figures({ oldestWaitingAt: ago(100), pastDeadline: 7 })
    const thresholds = { oldest_waiting_job: 99.5, jobs_past_deadline: null }

    expect(found(waits, null, thresholds).map(said)).toEqual([['oldest_waiting_job', null, 100, 99.5]])
  })

  it('is unknown where a part could not be read, which is one itself', () => {
    const { found, unknown } = judgeConditions(
      { ...reading, figures: null, queues: null },
      null,
      Thresholds.parse({}),
      NOW,
    )

    expect(unknown).toEqual([
      'oldest_waiting_job',
      'oldest_unfinished_job',
      'jobs_past_deadline',
      'stalled_batches',
      'expiry_rate',
      'failure_rate',
      'provider_refusals',
      'webhook_failure_rate',
      'queue_backlog_age',
    ])
    expect(found.map(said)).toEqual([
      ['check_incomplete', 'figures', 1, 0],
      ['check_incomplete', 'queues', 1, 0],
    ])
  })
})

describe('thresholds', () => {
  it.each<[string, unknown]>([
    ['with a name that is none', { oldest_waiting: 1 }],
    ['with a text for a number', { stalled_batches: '1' }],
    ['below zero', { stalled_batches: -1 }],
    ['with a share above one', { failure_rate: 20 }],
    ['with a window of no length', { window_seconds: 0 }],
    ['that are a list', []],
  ])('%s are wrong', (_, value) => {
    expect(Thresholds.safeParse(value).success).toBe(false)
  })
})
