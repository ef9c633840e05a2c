import { describe, expect, it } from 'vitest'
import { modelsFor } from '../../catalog/models.ts'
import { memoryDirectory } from '../../ledger/directory/directory.fixture.ts'
import { figureSums } from '../../ledger/directory/figure-sums.ts'
import { figuresOf, workOf } from '../../ledger/directory/figures.fixture.ts'
import { openDirectory } from '../../ledger/directory/open.ts'
import { rollUps } from '../../ledger/directory/schema.ts'
import type { Figures } from '../../ledger/figures.ts'
import { failureClasses } from '../../openapi/job-words.ts'
import { parseOpenMetrics } from '../../test/support/openmetrics.ts'
import { exposition } from './exposition.ts'
import { nothing } from './families.fixture.ts'
import { type Collected, families } from './families.ts'

const now = Date.parse('2026-11-30T10:00:00.000Z')

const read = (collected: Partial<Collected>) =>
  parseOpenMetrics(exposition(families({ ...nothing, ...collected }, now)))

/** What of these ledgers' figures is told, read back from the text. */
async function scraped(...told: Figures[]) {
  const directory = openDirectory(memoryDirectory().database)
  for (const [nth, figures] of told.entries())
    await directory
      .insert(rollUps)
      .values({ ledger: `t-${nth}:1:0`, revision: 1, openJobs: 1, updatedAt: now, figures })
  return read({ sums: await figureSums(directory) })
}

type Scraped = Awaited<ReturnType<typeof scraped>>
const samplesOf = (scrape: Scraped, name: string) =>
  Object.fromEntries(
    (scrape.get(name)?.samples ?? []).map(({ labels, value }) => [Object.values(labels).join(' '), value]),
  )

/** As section 11 of the contract lists them, with their labels. */
const promised: [string, string, string[]][] = [
  ['queue_backlog_messages', 'gauge', ['queue']],
  ['queue_oldest_message_seconds', 'gauge', ['queue']],
  ['jobs_backlog', 'gauge', []],
  ['jobs_oldest_waiting_seconds', 'gauge', []],
  ['jobs_oldest_unfinished_seconds', 'gauge', []],
  ['jobs_past_deadline', 'gauge', []],
  ['jobs_total', 'counter', ['kind', 'model', 'status']],
  ['job_attempts_total', 'counter', ['class']],
  ['job_retries_total', 'counter', ['class']],
  ['dead_letters_total', 'counter', ['queue', 'class']],
  ['dead_letters_open', 'gauge', []],
  ['dead_letter_oldest_open_seconds', 'gauge', []],
  ['job_queue_seconds', 'histogram', ['le']],
  ['job_processing_seconds', 'histogram', ['le']],
  ['webhook_attempts_total', 'counter', ['outcome']],
  ['webhook_first_attempt_seconds', 'histogram', ['le']],
  ['batches_open', 'gauge', []],
  ['batches_stalled', 'gauge', []],
  ['tokens_total', 'counter', ['direction', 'model']],
  ['cost_usd_total', 'counter', ['model']],
]

describe('a scrape', () => {
  it.each(promised)('tells %s, a %s by %j', async (name, type, labels) => {
    const directory = openDirectory(memoryDirectory().database)
    const figures = figuresOf({ work: [workOf({ succeeded: 1 })], webhooks: { attempts: { delivered: 1 } } })
    await directory
      .insert(rollUps)
      .values({ ledger: 'acme:1:0', revision: 1, openJobs: 0, updatedAt: now, figures })
    const scrape = read({
      sums: await figureSums(directory),
      queues: [{ queue: 'jobs', messages: 1, oldestAt: now }],
      deadLetters: {
        totals: [{ queue: 'jobs', class: 'timeout', recorded: 1 }],
        open: 1,
        oldestOpenAt: now,
      },
    })

    const family = scrape.get(`gateway_${name.replace(/_total$/, '')}`)

    expect(family).toMatchObject({ type, help: expect.stringMatching(/^[A-Z].*\.$/) })
    expect(family?.unit).toBe(/_seconds$/.test(name) ? 'seconds' : /usd/.test(name) ? 'usd' : null)
    const [first] = family?.samples ?? []
    expect(first?.name).toBe(`gateway_${name}${type === 'histogram' ? '_bucket' : ''}`)
    expect(Object.keys(first?.labels ?? {})).toEqual(labels)
  })

  it.each(promised.filter(([name]) => !name.startsWith('queue_')))(
    'tells %s of a service that has done nothing',
    (name, type, labels) => {
      const scrape = read({ models: modelsFor(new Set(['embedded']), false) })

      const samples = scrape.get(`gateway_${name.replace(/_total$/, '')}`)?.samples ?? []

      expect(samples.length).toBeGreaterThan(0)
      expect(new Set(samples.map(({ value }) => value))).toEqual(new Set([0]))
      if (type === 'counter')
        expect(new Set(samples.map((one) => Object.keys(one.labels).join()))).toEqual(
          new Set([labels.join()]),
        )
    },
  )

  it('of a service that has done nothing has what may come of each model, and every class', () => {
    const scrape = read({ models: modelsFor(new Set(['embedded', 'test']), false) })

    expect(samplesOf(scrape, 'gateway_jobs')).toMatchObject({
      'summarize embedded/extract-1 accepted': 0,
      'embed embedded/hash-1 cancelled': 0,
    })
    expect(Object.keys(samplesOf(scrape, 'gateway_jobs')).join()).not.toContain('test/')
    expect(samplesOf(scrape, 'gateway_webhook_attempts')).toMatchObject({ delivered: 0, http_status: 0 })
    expect(samplesOf(scrape, 'gateway_dead_letters')).toMatchObject({ 'jobs permission_denied': 0 })
    expect(samplesOf(scrape, 'gateway_job_attempts')).toEqual(
      Object.fromEntries(['none', ...failureClasses].map((name) => [name, 0])),
    )
  })

  it('counts jobs by what became of them, and all of them as accepted', async () => {
    const some = workOf({ open: 2, succeeded: 5, failed: 1, cancelled: 1 })
    const others = workOf({ kind: 'embed', model: 'embedded/hash-1', open: 1 })

    expect(
      samplesOf(
        await scraped(figuresOf({ work: [some] }), figuresOf({ work: [some, others] })),
        'gateway_jobs',
      ),
    ).toEqual({
      'summarize embedded/extract-1 accepted': 18,
      'summarize embedded/extract-1 succeeded': 10,
      'summarize embedded/extract-1 failed': 2,
      'summarize embedded/extract-1 cancelled': 2,
      'embed embedded/hash-1 accepted': 1,
      'embed embedded/hash-1 succeeded': 0,
      'embed embedded/hash-1 failed': 0,
      'embed embedded/hash-1 cancelled': 0,
    })
  })

  it('adds up attempts, retries and failures by class, over kinds and models', async () => {
    const work = workOf({
      attemptsSucceeded: 9,
      attemptsFailed: { timeout: 3, rate_limited: 1 },
      retries: { timeout: 2 },
      failures: { timeout: 1, missing_result: 4 },
    })
    const scrape = await scraped(figuresOf({ work: [work, { ...work, kind: 'report' }] }))

    expect(samplesOf(scrape, 'gateway_job_attempts')).toMatchObject({ none: 18, timeout: 6, rate_limited: 2 })
    expect(samplesOf(scrape, 'gateway_job_retries')).toMatchObject({ timeout: 4, rate_limited: 0 })
    expect(samplesOf(scrape, 'gateway_job_failures')).toMatchObject({ timeout: 2, missing_result: 8 })
  })

  it('counts items, tokens and cost', async () => {
    const work = workOf({
      items: { succeeded: 7, failed: 1, cancelled: 2, expired: 3 },
      inputTokens: 1200,
      outputTokens: 34,
      costMicroUsd: 1_500_001,
    })
    const scrape = await scraped(figuresOf({ work: [work, { ...work, kind: 'report' }] }))

    expect(samplesOf(scrape, 'gateway_batch_items')).toMatchObject({
      'summarize embedded/extract-1 succeeded': 7,
      'report embedded/extract-1 expired': 3,
    })
    expect(samplesOf(scrape, 'gateway_tokens')).toEqual({
      'input embedded/extract-1': 2400,
      'output embedded/extract-1': 68,
    })
    expect(samplesOf(scrape, 'gateway_cost_usd')).toEqual({ 'embedded/extract-1': 3.000002 })
  })

  it('adds up histograms over kinds, models and tenants, in seconds', async () => {
    const queued = { buckets: [1, 2, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1], sumMs: 100_500 }
    const scrape = await scraped(
      figuresOf({ work: [workOf({ queued })] }),
      figuresOf({ work: [workOf({ queued })] }),
    )
    const samples = scrape.get('gateway_job_queue_seconds')?.samples ?? []

    expect(samples.slice(0, 2).map(({ labels, value }) => [labels.le, value])).toEqual([
      ['0.1', 2],
      ['0.5', 6],
    ])
    expect(samples.slice(-3).map(({ value }) => value)).toEqual([8, 8, 201])
  })

  it('tells how things stand, with ages as of now', async () => {
    const scrape = await scraped(
      figuresOf({
        now: { waiting: 3, running: 1, oldestWaitingAt: now - 4500, pastDeadline: 1, batchesOpen: 2 },
      }),
      figuresOf({
        now: { waiting: 1, oldestWaitingAt: now - 90_000, oldestUnfinishedAt: now + 50, batchesStalled: 1 },
      }),
    )
    const values = Object.fromEntries(
      [...scrape.values()].flatMap(({ name, samples }) => samples.map(({ value }) => [name, value])),
    )

    expect(values).toMatchObject({
      gateway_jobs_backlog: 5,
      gateway_jobs_running: 1,
      gateway_jobs_oldest_waiting_seconds: 90,
      gateway_jobs_oldest_unfinished_seconds: 0,
      gateway_jobs_past_deadline: 1,
      gateway_batches_open: 2,
      gateway_batches_stalled: 1,
    })
  })

  it('leaves out what a queue does not say, and counts queues that say nothing', () => {
    const scrape = read({
      queues: [
        { queue: 'jobs', messages: 4, oldestAt: now - 1500 },
        { queue: 'jobs-dlq', messages: 0, oldestAt: null },
        { queue: 'batches', messages: 2, oldestAt: null },
      ],
      silentQueues: 9,
    })

    expect(samplesOf(scrape, 'gateway_queue_backlog_messages')).toEqual({
      jobs: 4,
      'jobs-dlq': 0,
      batches: 2,
    })
    expect(samplesOf(scrape, 'gateway_queue_oldest_message_seconds')).toEqual({ jobs: 1.5, 'jobs-dlq': 0 })
    expect(samplesOf(scrape, 'gateway_scrape_errors')).toEqual({ '': 9 })
  })

  it('names tenants only where they are among those with most open work', () => {
    const scrape = read({ backlogs: [{ tenantId: 'acme', jobs: 12 }], oldestSnapshotAt: now - 61_000 })

    expect(samplesOf(scrape, 'gateway_tenant_jobs_backlog')).toEqual({ acme: 12 })
    expect(samplesOf(scrape, 'gateway_oldest_snapshot_seconds')).toEqual({ '': 61 })
  })
})
