import { beforeAll, describe, expect, it } from 'vitest'
import type { DayUsage } from '../ledger/figures.ts'
import type { UsageReport } from '../openapi/usage.ts'
import { embedBatch, endedBatch, submittedBatch } from './support/batches.ts'
import { evict, inDirectory, ledgerOf } from './support/control.ts'
import { endedIn, observations, snapshotOf, snapshotThat, workIn } from './support/figures.ts'
import { newReceiver } from './support/receiver.ts'
import { expectStatus, newTenant, summarizeJob, type Tenant } from './support/tenant.ts'
import { pause } from './support/wait.ts'

const nothing = { succeeded: 0, failed: 0, cancelled: 0, expired: 0 }

/** Longer than between two snapshots, and the look of an alarm in between. */
const QUIET_MS = 3500

let acme: Tenant
let last: NonNullable<Awaited<ReturnType<typeof snapshotOf>>>

beforeAll(async () => {
  acme = await newTenant()
  const asked = ['embedded/extract-1', 'embedded/extract-1', 'test/flaky', 'test/content-filtered']
  const [jobs, hanging, batch] = await Promise.all([
    Promise.all(asked.map((model) => acme.submitted(summarizeJob({ model })))),
    acme.submitted(summarizeJob({ model: 'test/hangs' })),
    submittedBatch(acme, embedBatch(8, { model: 'test/batch-partial' })),
  ])
  await evict(acme.id)
  await expectStatus(200, acme.cancel(hanging.id))
  await Promise.all([...jobs.map(({ id }) => acme.ended(id)), endedBatch(acme, batch.id)])
  await evict(acme.id)
  last = await snapshotThat('all has ended', acme.id, (figures) => endedIn(figures) === 13)
})

describe('the figures of a ledger', () => {
  it('count each job by how it ended, whatever was lost of its memory', () => {
    expect(workIn(last.figures, 'summarize', 'embedded/extract-1')).toMatchObject({
      ...{ open: 0, succeeded: 2, failed: 0, cancelled: 0, items: nothing },
      ...{ attemptsSucceeded: 2, attemptsFailed: {}, retries: {}, failures: {} },
    })
    expect(workIn(last.figures, 'summarize', 'test/hangs')).toMatchObject({
      ...{ open: 0, succeeded: 0, failed: 0, cancelled: 1, attemptsSucceeded: 0, attemptsFailed: {} },
    })
  })

  it('count attempts and their failures by class, those that are tried again and those that are final', () => {
    expect(workIn(last.figures, 'summarize', 'test/flaky')).toMatchObject({
      ...{ succeeded: 1, failed: 0, attemptsSucceeded: 1, failures: {} },
      ...{ attemptsFailed: { provider_unavailable: 2 }, retries: { provider_unavailable: 2 } },
    })
    expect(workIn(last.figures, 'summarize', 'test/content-filtered')).toMatchObject({
      ...{ succeeded: 0, failed: 1, attemptsSucceeded: 0, retries: {} },
      ...{ attemptsFailed: { content_filtered: 1 }, failures: { content_filtered: 1 } },
    })
  })

  it('count the items of a batch beside the jobs', () => {
    const { items, failures, ...work } = workIn(last.figures, 'embed', 'test/batch-partial')

    expect(items).toEqual({ ...nothing, succeeded: 6, failed: 2 })
    expect(Object.values(failures)).toEqual([2])
    expect(work).toMatchObject({ open: 0, succeeded: 0, failed: 0, attemptsSucceeded: 0 })
  })

  it('have the time before the first attempt of each job that was started, and of each attempt that was settled', () => {
    const flaky = workIn(last.figures, 'summarize', 'test/flaky')

    expect([observations(flaky.queued), observations(flaky.processed)]).toEqual([1, 3])
  })

  it('say of a ledger that is idle that nothing is open', () => {
    expect(last.openJobs).toBe(0)
    expect(last.figures.now).toEqual({
      ...{ waiting: 0, running: 0, oldestWaitingAt: null, oldestUnfinishedAt: null },
      ...{ pastDeadline: 0, batchesOpen: 0, batchesStalled: 0 },
    })
  })

  it('count attempts at webhooks by their outcome, and how long after its event the first came', async () => {
    const globex = await newTenant()
    const receiver = await newReceiver((nth) => (nth === 0 ? 500 : 204))
    await globex.listens(receiver, ['job.result_available'])
    await globex.submitted()

    const { figures } = await snapshotThat('the second attempt was taken', globex.id, ({ webhooks }) => {
      return webhooks.attempts.delivered === 1
    })

    expect(figures.webhooks.attempts).toEqual({ http_status: 1, delivered: 1 })
    expect(observations(figures.webhooks.firstAttempt)).toBe(1)
  })

  it('are of each day what the tenant is told of its usage', async () => {
    const rows = await inDirectory<{ tenant_id: string; figures: string }>(
      'select tenant_id, figures from usage_days where ledger = ?',
      ledgerOf(acme.id),
    )
    const days = rows.flatMap(({ figures }) => JSON.parse(figures) as DayUsage[])
    const { total } = (await expectStatus(200, acme.get('/v1/usage'))).body as unknown as UsageReport

    const sum = (name: Exclude<keyof DayUsage, 'kind' | 'model'>) =>
      days.reduce((all, day) => all + day[name], 0)
    expect(rows.map(({ tenant_id }) => tenant_id)).toEqual(rows.map(() => acme.id))
    expect(total).toEqual({
      jobs: sum('jobs'),
      items: sum('items'),
      succeeded: sum('succeeded'),
      failed: sum('failed'),
      input_tokens: sum('input_tokens'),
      output_tokens: sum('output_tokens'),
      cost_usd: sum('cost_micro_usd') / 1_000_000,
    })
    expect(total).toMatchObject({ jobs: 5, items: 8, succeeded: 9, failed: 3 })
  })

  it('are not told again by a ledger that is only read', async () => {
    await pause(QUIET_MS)
    const before = await snapshotOf(acme.id)
    await evict(acme.id)

    await expectStatus(200, acme.get('/v1/jobs'))
    await pause(QUIET_MS)

    expect((await snapshotOf(acme.id))?.revision).toBe(before?.revision)
  })

  it('tell of what waits, and since when, while it waits', async () => {
    const globex = await newTenant({ max_running: 1 })
    const first = await globex.submitted(summarizeJob({ model: 'test/hangs' }))
    await globex.reached(first.id, 'running')
    const second = await globex.submitted(summarizeJob({ model: 'test/hangs' }))

    const { figures } = await snapshotThat(
      'one runs and one waits',
      globex.id,
      ({ now }) => now.running === 1 && now.waiting === 1,
    )

    const toTheSecond = (at: string) => Math.floor(Date.parse(at) / 1000) * 1000
    expect(figures.now).toMatchObject({
      pastDeadline: 0,
      oldestUnfinishedAt: toTheSecond(first.created_at),
      oldestWaitingAt: toTheSecond(second.created_at),
    })
    expect(workIn(figures, 'summarize', 'test/hangs').open).toBe(2)
  })
})
