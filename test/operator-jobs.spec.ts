import { describe, expect, it } from 'vitest'
import type { Job } from '../openapi/jobs.ts'
import type { OperatorJob } from '../openapi/operator-jobs.ts'
import { withDeadLetter } from './support/dead-letters.ts'
import { newReceiver } from './support/receiver.ts'
import { expectStatus, newTenant, operator, summarizeJob, TEXT } from './support/tenant.ts'
import { until } from './support/wait.ts'

const answer = async (id: string, query = '') => (await operator()).get(`/ops/v1/jobs/${id}${query}`)
const read = async (id: string, query = '') =>
  (await expectStatus(200, answer(id, query))).body as unknown as OperatorJob

const another = (id: string) => id.replace(/.$/, (last) => (last === '0' ? '1' : '0'))

describe.concurrent('a job that operators look into', () => {
  it('is what its tenant sees of it, but for the text that is its own', async () => {
    const acme = await newTenant()
    const metadata = { order: '4711-secret', 'customer name': 'Alice Example' }
    const { id } = await acme.submitted(summarizeJob({ metadata, params: { max_words: 17 } }))
    const {
      metadata: _,
      status_url: __,
      result_url: ___,
      ...shown
    } = (await acme.ended(id)) as unknown as Job

    const job = await read(id, `?tenant_id=${acme.id}`)

    expect(job).toMatchObject({
      ...shown,
      tenant_id: acme.id,
      metadata_keys: ['order', 'customer name'],
      status: 'succeeded',
      attempts: 1,
      failures: [],
      last_error_class: null,
      lost_leases: 0,
      lease_ends_at: null,
      dead_letter: null,
      deliveries: [],
    })
    const { summary } = (await acme.result(id)).output
    for (const text of [TEXT.slice(0, 40), summary.slice(0, 30), '4711-secret', 'Alice'])
      expect(JSON.stringify(job)).not.toContain(text)
    for (const name of ['input', 'output', 'params', 'metadata', 'result'])
      expect(Object.keys(job)).not.toContain(name)
  })

  it('has what it failed of, and its dead letter', async () => {
    const { acme, jobId, dead } = await withDeadLetter()

    const job = await read(jobId, `?tenant_id=${acme.id}`)

    expect(job).toMatchObject({
      status: 'failed',
      error: { class: 'permission_denied' },
      failures: [],
      dead_letter: { id: dead.id, status: 'open', job_id: jobId },
    })
  })

  it('has the failures that it got over', async () => {
    const acme = await newTenant()
    const { id } = await acme.submitted(summarizeJob({ model: 'test/flaky' }))
    await acme.ended(id)

    expect(await read(id, `?tenant_id=${acme.id}`)).toMatchObject({
      status: 'succeeded',
      attempts: 3,
      failures: [{ class: 'provider_unavailable', count: 2 }],
      last_error_class: 'provider_unavailable',
    })
  })

  it('has the end of its lease while it runs', async () => {
    const acme = await newTenant()
    const { id } = await acme.submitted(summarizeJob({ model: 'test/hangs' }))
    await acme.reached(id, 'running')

    const { lease_ends_at, status } = await read(id, `?tenant_id=${acme.id}`)

    expect(status).toBe('running')
    expect(Date.parse(lease_ends_at ?? '')).toBeGreaterThan(Date.now() - 60_000)
  })

  it('has what was delivered of it, and nothing of what was answered', async () => {
    const acme = await newTenant()
    const receiver = await newReceiver((nth) => (nth === 0 ? 500 : 204))
    const endpoint = await acme.listens(receiver, ['job.result_available'])
    const { id } = await acme.submitted()
    await acme.submitted()

    const job = await until('it is delivered', async () => {
      const now = await read(id, `?tenant_id=${acme.id}`)
      return now.deliveries[0]?.status === 'delivered' && now
    })

    expect(job.deliveries).toHaveLength(1)
    const [delivery] = job.deliveries
    expect(delivery).toMatchObject({ endpoint_id: endpoint.id, event_type: 'job.result_available' })
    expect(delivery?.attempts.at(-1)).toEqual({
      at: expect.any(String),
      status_code: 204,
      latency_ms: expect.any(Number),
      error: null,
    })
    expect(JSON.stringify(job)).not.toContain('response')
  })

  it('is found without its tenant, once its ledger has told of itself', async () => {
    const acme = await newTenant()
    const { id } = await acme.submitted()
    await acme.ended(id)

    const job = await until('it is found', async () => {
      const { status, body } = await answer(id)
      return status === 200 && (body as unknown as OperatorJob)
    })

    expect(job).toMatchObject({ id, tenant_id: acme.id })
  })

  it("has to be there, and to be that tenant's", async () => {
    const [acme, globex] = await Promise.all([newTenant(), newTenant()])
    const { id } = await acme.submitted()
    const ofBatch = id.replace('job_', 'batch_')

    for (const path of [
      'none',
      'job_',
      ofBatch,
      another(id),
      `${id}?tenant_id=${globex.id}`,
      `${id}?tenant_id=nobody`,
    ]) {
      const { status, body } = await answer(path)
      expect([path, status, body.type]).toEqual([path, 404, expect.stringMatching(/not-found$/)])
    }
    const { status, body } = await answer(id, '?tenant_id=Not%20A%20Tenant')
    expect([status, body.errors[0]?.parameter]).toEqual([400, 'tenant_id'])
  })

  it('is nothing that tenants may see', async () => {
    const acme = await newTenant()
    const { id } = await acme.submitted()

    expect((await acme.get(`/ops/v1/jobs/${id}`)).status).toBe(401)
  })
})
