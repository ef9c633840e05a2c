import { beforeAll, describe, expect, it } from 'vitest'
import type { UsageReport } from '../openapi/usage.ts'
import { embedBatch, endedBatch, submittedBatch } from './support/batches.ts'
import { expectStatus, newTenant, summarizeJob, type Tenant } from './support/tenant.ts'

const today = () => new Date().toISOString().slice(0, 10)
const usageOf = async (tenant: Tenant, query = '') =>
  (await expectStatus(200, tenant.get(`/v1/usage${query}`))).body as unknown as UsageReport

/** Sums in integers: what is shown has six decimals at most. */
const micro = (usd: number) => Math.round(usd * 1_000_000)
type Figures = UsageReport['total']
function sumOf(rows: readonly Figures[]): Figures {
  const total = { jobs: 0, items: 0, succeeded: 0, failed: 0, input_tokens: 0, output_tokens: 0, cost_usd: 0 }
  const names = Object.keys(total) as (keyof Figures)[]
  for (const row of rows)
    for (const name of names) total[name] += name === 'cost_usd' ? micro(row.cost_usd) : row[name]
  return { ...total, cost_usd: total.cost_usd / 1_000_000 }
}

let acme: Tenant
let whole: Figures
beforeAll(async () => {
  acme = await newTenant()
  const asked = ['test/priced', 'test/priced', 'test/content-filtered', 'embedded/extract-1']
  const [jobs, batch] = await Promise.all([
    Promise.all(asked.map((model) => acme.submitted(summarizeJob({ model })))),
    submittedBatch(acme, embedBatch(4, { model: 'test/batch-partial' })),
  ])
  const ended = await Promise.all(jobs.map(({ id }) => acme.ended(id)))
  const { usage, counts } = await endedBatch(acme, batch.id)
  const ofJobs = ended.map(({ status, usage: used }) => ({
    jobs: 1,
    items: 0,
    succeeded: Number(status === 'succeeded'),
    failed: Number(status === 'failed'),
    ...(used ?? { input_tokens: 0, output_tokens: 0, cost_usd: 0 }),
  }))
  const { succeeded, failed } = counts
  const ofBatch = { input_tokens: 0, output_tokens: 0, cost_usd: 0, ...usage }
  whole = sumOf([...ofJobs, { jobs: 0, items: 4, succeeded, failed, ...ofBatch }])
})

describe('usage', () => {
  it.each(['day', 'kind', 'model'] as const)(
    'by %s adds up to what the single jobs and batches show',
    async (grouping) => {
      const { data, total, group_by } = await usageOf(acme, `?group_by=${grouping}`)

      expect(whole).toMatchObject({ jobs: 4, items: 4, succeeded: 6, failed: 2, cost_usd: 0.02 })
      expect(group_by).toBe(grouping)
      expect(total).toEqual(whole)
      expect(sumOf(data)).toEqual(whole)
      for (const row of data)
        expect([row.day, row.kind, row.model].filter((name) => name !== null)).toEqual([row[grouping]])
    },
  )

  it('is by day, and of this month up to today, unless asked otherwise', async () => {
    const { from, to, data } = await usageOf(acme)

    expect([from, to]).toEqual([`${to.slice(0, 7)}-01`, today()])
    expect(data.map(({ day }) => day)).toEqual([today()])
  })

  it('names its rows by kind and by model', async () => {
    const byKind = await usageOf(acme, '?group_by=kind')
    const byModel = await usageOf(acme, `?group_by=model&from=${today()}`)

    expect(byKind.data.map(({ kind, items }) => [kind, items])).toEqual([
      ['embed', 4],
      ['summarize', 0],
    ])
    expect(byModel.data.map(({ model, jobs, cost_usd }) => [model, jobs, cost_usd])).toEqual([
      ['embedded/extract-1', 1, 0],
      ['test/batch-partial', 0, 0],
      ['test/content-filtered', 1, 0],
      ['test/priced', 2, 0.02],
    ])
  })

  it('of other days, or of another tenant, is none', async () => {
    const earlier = await usageOf(acme, '?from=2020-02-01&to=2021-01-31')
    const others = await usageOf(await newTenant())

    for (const { data, total } of [earlier, others]) {
      expect(data).toEqual([])
      expect(total).toEqual(sumOf([]))
    }
  })

  it.each([
    ['from=2026-02-30', 'from'],
    ['from=2026-2-1', 'from'],
    ['from=20260201', 'from'],
    ['from=2026-02-01T00:00:00Z', 'from'],
    ['from=', 'from'],
    ['to=tomorrow', 'to'],
    ['from=2026-02-02&to=2026-02-01', 'from'],
    ['from=9999-12-31', 'from'],
    ['from=2025-01-01&to=2026-01-02', 'from'],
    ['from=2026-01-01&from=2026-01-02', 'from'],
    ['group_by=hour', 'group_by'],
    ['group_by=day&group_by=kind', 'group_by'],
    ['group_by=day,kind', 'group_by'],
    ['tenant_id=globex', 'tenant_id'],
  ])('for ?%s is refused with the parameter named', async (query, parameter) => {
    const { status, body } = await acme.get(`/v1/usage?${query}`)

    expect(status).toBe(400)
    expect(body).toMatchObject({ errors: [{ parameter }] })
  })
})
