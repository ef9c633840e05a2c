import { beforeAll, describe, expect, inject, it } from 'vitest'
import { failureClasses } from '../openapi/job-words.ts'
import { Client, fetchToken, request } from './support/client.ts'
import { deadLetterOf } from './support/dead-letters.ts'
import { endedIn, snapshotThat } from './support/figures.ts'
import { type Scrape, scrape, scrapedText } from './support/metrics.ts'
import { byPackage, bySpecification, inOrder } from './support/openmetrics-readers.ts'
import { newReceiver } from './support/receiver.ts'
import { newTenant, operator, summarizeJob, type Tenant } from './support/tenant.ts'
import { pause } from './support/wait.ts'

const PATH = '/ops/v1/metrics'

/** Jobs of one tenant that wait: more than most specs have. */
const WAITING = 12

/** Each queue has one for the messages that failed too often. */
const queues = ['jobs', 'jobs-bulk', 'jobs-slow', 'jobs-solo', 'batches', 'callbacks', 'evaluations'].flatMap(
  (name) => [name, `${name}-dlq`],
)

/** Jobs of these models, once they have ended and the directory has been told. */
async function done(acme: Tenant, models: string[]) {
  const jobs = await Promise.all(models.map((model) => acme.submitted(summarizeJob({ model }))))
  await Promise.all(jobs.map(({ id }) => acme.ended(id)))
  await snapshotThat('all have ended', acme.id, (figures) => endedIn(figures) >= models.length)
  return jobs
}

describe('the metrics', () => {
  it('are OpenMetrics 1.0, to the letter, and another reader finds the same in them', async () => {
    await done(await newTenant(), ['embedded/extract-1'])
    const { headers } = await (await operator()).get(PATH)
    const text = await scrapedText()

    expect(headers.get('Content-Type')).toBe('application/openmetrics-text; version=1.0.0; charset=utf-8')
    expect(bySpecification(text).length).toBeGreaterThan(80)
    expect(inOrder(byPackage(text))).toEqual(inOrder(bySpecification(text)))
  })

  it('tell how full each queue is, and that of failed messages', async () => {
    const told = await scrape()

    for (const name of ['gateway_queue_backlog_messages', 'gateway_queue_oldest_message_seconds'])
      expect(
        told
          .samples(name)
          .map(({ labels }) => labels.queue)
          .toSorted(),
      ).toEqual(queues.toSorted())
    expect(told.sum('gateway_scrape_errors')).toBe(0)
  })

  it('count jobs, attempts, retries, tokens and cost as they come', async () => {
    const before = await scrape()
    await done(await newTenant(), ['test/priced', 'test/priced', 'test/flaky', 'test/content-filtered'])
    const after = await scrape()

    const grown = (name: string, labels: Record<string, string>) =>
      after.sum(name, labels) - before.sum(name, labels)
    const ofModel = (model: string, status: string) => ({ kind: 'summarize', model, status })
    for (const status of ['accepted', 'succeeded'])
      expect(grown('gateway_jobs_total', ofModel('test/priced', status))).toBeGreaterThanOrEqual(2)
    expect(grown('gateway_jobs_total', ofModel('test/content-filtered', 'failed'))).toBeGreaterThanOrEqual(1)
    expect(grown('gateway_job_attempts_total', { class: 'none' })).toBeGreaterThanOrEqual(3)
    expect(grown('gateway_job_attempts_total', { class: 'content_filtered' })).toBeGreaterThanOrEqual(1)
    expect(grown('gateway_job_retries_total', { class: 'provider_unavailable' })).toBeGreaterThanOrEqual(2)
    expect(grown('gateway_job_processing_seconds_count', {})).toBeGreaterThanOrEqual(6)
    expect(grown('gateway_job_queue_seconds_count', {})).toBeGreaterThanOrEqual(4)
    expect(grown('gateway_tokens_total', { model: 'test/priced', direction: 'input' })).toBeGreaterThan(0)
    expect(grown('gateway_cost_usd_total', { model: 'test/priced' })).toBeGreaterThanOrEqual(0.02 - 1e-9)
  })

  it('count dead letters, and those that wait for somebody', async () => {
    const labels = { queue: 'jobs', class: 'permission_denied' }
    const before = await scrape()
    const acme = await newTenant()
    const { id } = await acme.submitted(summarizeJob({ model: 'test/permission-denied' }))
    await acme.ended(id)
    await deadLetterOf(id)
    const after = await scrape()

    const total = 'gateway_dead_letters_total'
    expect(after.sum(total, labels)).toBeGreaterThanOrEqual(before.sum(total, labels) + 1)
    expect(after.sum('gateway_dead_letters_open')).toBeGreaterThanOrEqual(1)
    expect(after.sum('gateway_dead_letter_oldest_open_seconds')).toBeGreaterThan(0)
  })

  it('count attempts at webhooks', async () => {
    const outcomes = ['delivered', 'http_status']
    const before = await scrape()
    const acme = await newTenant()
    const receiver = await newReceiver((nth) => (nth === 0 ? 500 : 204))
    await acme.listens(receiver, ['job.result_available'])
    await acme.submitted()
    await snapshotThat('the event is delivered', acme.id, ({ webhooks }) => webhooks.attempts.delivered === 1)
    const after = await scrape()

    for (const outcome of outcomes)
      expect(after.sum('gateway_webhook_attempts_total', { outcome })).toBeGreaterThan(
        before.sum('gateway_webhook_attempts_total', { outcome }),
      )
    const first = 'gateway_webhook_first_attempt_seconds_count'
    expect(after.sum(first)).toBeGreaterThan(before.sum(first))
  })

  it('show what waits, how long, and whose it is', async () => {
    const acme = await newTenant({ max_running: 1 })
    await Promise.all(
      Array.from({ length: WAITING + 1 }, () => acme.submitted(summarizeJob({ model: 'test/hangs' }))),
    )
    await snapshotThat('all but one wait', acme.id, ({ now }) => now.running === 1 && now.waiting === WAITING)
    const told = await scrape()

    expect(told.sum('gateway_jobs_backlog')).toBeGreaterThan(WAITING)
    expect(told.sum('gateway_jobs_running')).toBeGreaterThanOrEqual(1)
    expect(told.sum('gateway_jobs_oldest_waiting_seconds')).toBeGreaterThan(0)
    expect(told.sum('gateway_jobs_oldest_unfinished_seconds')).toBeGreaterThan(0)
    expect(told.samples('gateway_oldest_snapshot_seconds')).toHaveLength(1)
    const tenants = told.samples('gateway_tenant_jobs_backlog')
    const others = tenants.filter(({ value }) => value > WAITING)
    expect(tenants.length).toBeLessThanOrEqual(20)
    if (others.length < 20)
      expect(told.sum('gateway_tenant_jobs_backlog', { tenant_id: acme.id })).toBe(WAITING + 1)
  })
})

describe('metrics that are scraped while ledgers tell of themselves', () => {
  let scrapes: Scrape[]
  beforeAll(async () => {
    const tenants = await Promise.all([newTenant(), newTenant()])
    const models = ['embedded/extract-1', 'test/flaky', 'test/content-filtered']
    const busy = tenants.flatMap((acme) =>
      models.map(async (model) => {
        for (let nth = 0; nth < 4; nth++) await acme.ended((await acme.submitted(summarizeJob({ model }))).id)
      }),
    )
    let isOver = false
    const over = Promise.all(busy).then(() => {
      isOver = true
    })
    scrapes = []
    while (!isOver || scrapes.length < 5) {
      scrapes.push(await scrape())
      await pause(300)
    }
    await over
  })

  it('never fall', () => {
    for (const [nth, after] of scrapes.entries()) {
      const counts = after.counts()
      const before = scrapes[nth - 1]?.counts() ?? new Map<string, number>()
      const fallen = [...before].filter(([name, value]) => (counts.get(name) ?? -1) < value)
      expect(fallen).toEqual([])
    }
  })

  it('have each ledger as a whole: every attempt with its class and its duration, and every job that ended as one that was accepted', () => {
    for (const told of scrapes) {
      const attempts = ['none', ...failureClasses].map((name) =>
        told.sum('gateway_job_attempts_total', { class: name }),
      )
      expect(attempts.reduce((sum, count) => sum + count, 0)).toBe(
        told.sum('gateway_job_processing_seconds_count'),
      )
      for (const { labels } of told.samples('gateway_jobs_total')) {
        const of = (status: string) => told.sum('gateway_jobs_total', { ...labels, status })
        expect(of('accepted')).toBeGreaterThanOrEqual(of('succeeded') + of('failed') + of('cancelled'))
      }
    }
  })
})

describe('metrics are for operators', () => {
  it('with a token', async () => {
    expect((await request('GET', PATH)).status).toBe(401)
    expect((await (await newTenant()).get(PATH)).status).toBe(401)
  })

  it.each([PATH, '/ops/v1/usage', '/ops/v1/audit_log', '/ops/v1/jobs/job_x', '/ops/v1/batches/batch_x'])(
    'who may read: %s',
    async (path) => {
      const { clientId, clientSecret } = inject('stack').operator
      const writer = new Client(await fetchToken(clientId, clientSecret, 'ops:write'))

      const { status, headers } = await writer.get(path)

      expect(status).toBe(403)
      expect(headers.get('WWW-Authenticate')).toContain('scope="ops:read"')
    },
  )
})
