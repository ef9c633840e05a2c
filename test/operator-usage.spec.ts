import { beforeAll, describe, expect, it } from 'vitest'
import type { OperatorUsageReport } from '../openapi/operator-usage.ts'
import type { UsageReport } from '../openapi/usage.ts'
import { embedBatch, endedBatch, submittedBatch } from './support/batches.ts'
import { endedIn, snapshotThat } from './support/figures.ts'
import { expectStatus, newTenant, operator, summarizeJob, type Tenant } from './support/tenant.ts'

const read = async (query: string) =>
  (await expectStatus(200, (await operator()).get(`/ops/v1/usage${query}`)))
    .body as unknown as OperatorUsageReport

const usageOf = async (tenant: Tenant, query: string) =>
  (await expectStatus(200, tenant.get(`/v1/usage${query}`))).body as unknown as UsageReport

let acme: Tenant
beforeAll(async () => {
  acme = await newTenant()
  const models = ['test/priced', 'test/priced', 'test/content-filtered']
  const [jobs, batch] = await Promise.all([
    Promise.all(models.map((model) => acme.submitted(summarizeJob({ model })))),
    submittedBatch(acme, embedBatch(4, { model: 'test/batch-partial' })),
  ])
  await Promise.all([...jobs.map(({ id }) => acme.ended(id)), endedBatch(acme, batch.id)])
  await snapshotThat('all have ended', acme.id, (figures) => endedIn(figures) === 7)
})

describe('usage as operators see it', () => {
  it.each(['day', 'kind', 'model'])('is by %s what the tenant itself is told', async (grouping) => {
    const theirs = await usageOf(acme, `?group_by=${grouping}`)

    const ours = await read(`?group_by=${grouping}&tenant_id=${acme.id}`)

    expect(theirs.total).toMatchObject({ jobs: 3, items: 4, cost_usd: 0.02 })
    expect(ours).toEqual({ ...theirs, data: theirs.data.map((row) => ({ ...row, tenant_id: null })) })
  })

  it('is by tenant, each with what it used', async () => {
    const { total } = await usageOf(acme, '')

    const { data, group_by } = await read('?group_by=tenant')

    expect(group_by).toBe('tenant')
    expect(data.find((row) => row.tenant_id === acme.id)).toEqual({
      ...{ day: null, kind: null, model: null, tenant_id: acme.id },
      ...total,
    })
    expect(data.map(({ tenant_id }) => tenant_id)).toEqual(data.map(({ tenant_id }) => tenant_id).toSorted())
  })

  it('is of all tenants together, unless one is named', async () => {
    const { data, total } = await read('?group_by=model')
    const priced = data.find(({ model }) => model === 'test/priced')

    expect(priced?.jobs).toBeGreaterThanOrEqual(2)
    expect(total.jobs).toBeGreaterThanOrEqual(3)
    expect(total.items).toBeGreaterThanOrEqual(4)
  })

  it('is none on other days, and of a tenant that is not there', async () => {
    for (const query of [`?tenant_id=${acme.id}&from=2020-01-01&to=2020-12-31`, '?tenant_id=nobody'])
      expect((await read(query)).data).toEqual([])
  })

  it.each([
    ['from=2026-02-02&to=2026-02-01', 'from'],
    ['from=9999-12-31', 'from'],
    ['from=2025-01-01&to=2026-01-02', 'from'],
    ['from=2026-02-30', 'from'],
    ['to=tomorrow', 'to'],
    ['group_by=hour', 'group_by'],
    ['tenant_id=Not%20A%20Tenant', 'tenant_id'],
    ['format=xml', 'format'],
    ['kind=embed', 'kind'],
  ])('for ?%s is refused with the parameter named', async (query, parameter) => {
    const { status, body } = await (await operator()).get(`/ops/v1/usage?${query}`)

    expect([status, body.errors?.map((one) => one.parameter)]).toEqual([400, [parameter]])
  })

  it('is nothing that tenants may see', async () => {
    expect((await acme.get('/ops/v1/usage')).status).toBe(401)
  })
})

describe('usage as a table', () => {
  const head = 'jobs,items,succeeded,failed,input_tokens,output_tokens,cost_usd'

  it('has the rows of the report, for the tenant', async () => {
    const { data, from, to } = await usageOf(acme, '?group_by=model')

    const byHeader = await expectStatus(200, acme.get('/v1/usage?group_by=model', { Accept: 'text/csv' }))
    const byParameter = await expectStatus(200, acme.get('/v1/usage?group_by=model&format=csv'))

    const rows = data.map((row) =>
      [
        '',
        '',
        row.model,
        row.jobs,
        row.items,
        row.succeeded,
        row.failed,
        row.input_tokens,
        row.output_tokens,
        row.cost_usd,
      ].join(),
    )
    const table = [`day,kind,model,${head}`, ...rows].map((line) => `${line}\r\n`).join('')
    for (const { body, headers } of [byHeader, byParameter]) {
      expect(body).toBe(table)
      expect(headers.get('Content-Type')).toBe('text/csv; charset=utf-8; header=present')
      expect(headers.get('Content-Disposition')).toBe(`attachment; filename="usage-${from}-${to}.csv"`)
      expect(headers.get('Cache-Control')).toBe('no-store')
    }
  })

  it('has the tenant too, for operators', async () => {
    const ops = await operator()
    const path = `/ops/v1/usage?group_by=tenant&tenant_id=${acme.id}`

    const { body } = await expectStatus(200, ops.get(path, { Accept: 'text/csv' }))

    const { total } = await read(`?tenant_id=${acme.id}`)
    const row = [
      total.jobs,
      total.items,
      total.succeeded,
      total.failed,
      total.input_tokens,
      total.output_tokens,
    ]
    expect(body).toBe(`day,kind,model,tenant_id,${head}\r\n,,,${acme.id},${row.join()},${total.cost_usd}\r\n`)
  })

  it('is not what comes to whoever takes anything, or refuses', async () => {
    for (const accept of ['*/*', 'application/json', 'text/html', 'application/json, text/csv;q=0.5'])
      expect((await acme.get('/v1/usage', { Accept: accept })).body).toMatchObject({ object: 'usage' })
    const { status, headers } = await acme.get('/v1/usage?to=tomorrow', { Accept: 'text/csv' })
    expect([status, headers.get('Content-Type')]).toEqual([400, 'application/problem+json'])
  })
})
