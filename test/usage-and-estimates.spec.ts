import { describe, expect, it } from 'vitest'
import { callLedger, inLedger } from './support/control.ts'
import { newTenant, summarizeJob } from './support/tenant.ts'

/** One attempt costs 10,000 micro-USD. */
const priced = summarizeJob({ model: 'test/priced' })
const HOUR_MS = 3_600_000

describe('usage by day', () => {
  it('is what the jobs cost, and how they ended', async () => {
    const acme = await newTenant()
    const models = ['test/priced', 'test/priced', 'test/content-filtered']
    const jobs = await Promise.all(models.map((model) => acme.submitted(summarizeJob({ model }))))
    await Promise.all(jobs.map(({ id }) => acme.ended(id)))

    const rows = await inLedger(
      acme.id,
      'select model, sum(jobs) as jobs, sum(succeeded) as ok, sum(failed) as failed, sum(cost_micro_usd) as cost from usage_days group by model order by model',
    )

    expect(rows).toEqual([
      { model: 'test/content-filtered', jobs: 1, ok: 0, failed: 1, cost: 0 },
      { model: 'test/priced', jobs: 2, ok: 2, failed: 0, cost: 20_000 },
    ])
  })
})

describe('an estimate', () => {
  it('tells cost and tokens, and stores nothing', async () => {
    const acme = await newTenant()

    const { status, body } = await acme.client.post('/v1/jobs/estimate', priced)

    expect(status).toBe(200)
    expect(body).toEqual({
      estimated_cost_usd: 0.01,
      estimated_input_tokens: expect.any(Number),
      model: 'test/priced',
      would_be_accepted: true,
      reasons: [],
    })
    expect(await inLedger(acme.id, 'select id from jobs')).toEqual([])
    expect(await inLedger(acme.id, 'select key_hash from idempotency_keys')).toEqual([])
  })

  it('names every reason why the job would not be accepted now', async () => {
    const acme = await newTenant({ monthly_budget_usd: 0.005, max_backlog: 1, max_running: 1 })
    await callLedger(acme.id, 'releaseJobs', [
      { jobId: 'job_none', attempt: 1, model: 'embedded/extract-1', notBefore: Date.now() + HOUR_MS },
    ])
    await acme.submitted()

    const { body } = await acme.client.post('/v1/jobs/estimate', { ...priced, max_cost_usd: 0.001 })

    expect(body).toMatchObject({
      would_be_accepted: false,
      reasons: ['cost-over-limit', 'backlog-full', 'budget-exhausted'],
    })
  })

  it('refuses what could never be accepted', async () => {
    const acme = await newTenant({ test_models: false })

    const { status, body } = await acme.client.post('/v1/jobs/estimate', priced)

    expect([status, body.errors]).toEqual([400, [{ pointer: '/model', detail: 'Unknown model.' }]])
  })
})
