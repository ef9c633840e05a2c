import { describe, expect, it } from 'vitest'
import type { Limits } from '../openapi/limits.ts'
import { embedBatch, submittedBatch } from './support/batches.ts'
import type { Answer } from './support/client.ts'
import { expectStatus, newTenant, summarizeJob, type Tenant } from './support/tenant.ts'
import { until } from './support/wait.ts'

const read = (tenant: Tenant): Promise<Answer> => expectStatus(200, tenant.get('/v1/limits'))
const limitsOf = async (tenant: Tenant) => (await read(tenant)).body as unknown as Limits
const untouched = (limit: number) => ({ limit, used: 0, remaining: limit, resets_at: null })

describe('what is left of the limits', () => {
  it('is all of it at first, but for this request, as the headers say too', async () => {
    const acme = await newTenant({ requests_per_minute: 90, monthly_budget_usd: 2.5 })

    const { headers, body } = await read(acme)

    const { plan, limits, budget } = body as unknown as Limits
    expect(plan).toEqual({
      requests_per_minute: 90,
      jobs_per_minute: 6000,
      max_running: 50,
      max_backlog: 100_000,
      max_open_batches: 20,
      max_batch_chunks: 10,
      max_webhook_endpoints: 50,
      monthly_budget_usd: 2.5,
      test_models: true,
      shards: 1,
    })
    expect(limits).toEqual({
      requests_per_minute: { limit: 90, used: 1, remaining: 89, resets_at: expect.any(String) },
      jobs_per_minute: untouched(6000),
      max_running: untouched(50),
      max_backlog: untouched(100_000),
      max_open_batches: untouched(20),
      max_batch_chunks: untouched(10),
      max_webhook_endpoints: untouched(50),
    })
    expect(headers.get('RateLimit')).toMatch(/^"requests";r=89;/)
    const resetsIn = Date.parse(limits.requests_per_minute.resets_at ?? '') - Date.now()
    expect(resetsIn).toBeGreaterThan(30_000)
    expect(resetsIn).toBeLessThanOrEqual(61_000)
    expect(budget).toMatchObject({ limit_usd: 2.5, booked_usd: 0, reserved_usd: 0, remaining_usd: 2.5 })
    expect(budget.resets_at).toMatch(/^\d{4}-\d\d-01T00:00:00\.000Z$/)
    expect(Date.parse(budget.resets_at)).toBeGreaterThan(Date.now())
  })

  it('tells of work that waits, runs, has ended, and of what it costs', async () => {
    const acme = await newTenant({ max_running: 1, monthly_budget_usd: 1 })
    const { id } = await acme.submitted(summarizeJob({ model: 'test/priced' }))
    await acme.ended(id)
    await acme.submitted(summarizeJob({ model: 'test/hangs' }))
    await acme.submitted(summarizeJob({ model: 'test/priced' }))

    const { limits, budget } = await until('one runs and one waits', async () => {
      const now = await limitsOf(acme)
      return now.limits.max_running.used === 1 && now
    })

    expect(limits.max_running).toEqual({ limit: 1, used: 1, remaining: 0, resets_at: null })
    expect(limits.max_backlog).toMatchObject({ used: 2, remaining: 99_998 })
    const { limit, used, remaining, resets_at } = limits.jobs_per_minute
    expect([used > 0, used + remaining, typeof resets_at]).toEqual([true, limit, 'string'])
    expect(budget).toMatchObject({ booked_usd: 0.01, reserved_usd: 0.01, remaining_usd: 0.98 })
  })

  it('counts batches, their chunks, and endpoints', async () => {
    const acme = await newTenant({ max_webhook_endpoints: 3 })
    await acme.listens({ url: 'http://127.0.0.1:9/' })
    await submittedBatch(acme, embedBatch(2, { model: 'test/batch-stuck' }))

    const { limits, budget } = await until('the chunk is out', async () => {
      const now = await limitsOf(acme)
      return now.limits.max_batch_chunks.used === 1 && now
    })

    expect(limits.max_open_batches).toMatchObject({ used: 1, remaining: 19 })
    expect(limits.max_batch_chunks).toMatchObject({ used: 1, remaining: 9 })
    expect(limits.max_webhook_endpoints).toEqual({ limit: 3, used: 1, remaining: 2, resets_at: null })
    expect(budget).toMatchObject({ limit_usd: null, remaining_usd: null })
  })
})
