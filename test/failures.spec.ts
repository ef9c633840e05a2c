import { describe, expect, it } from 'vitest'
import { logs } from './support/control.ts'
import { deadLetterOf } from './support/dead-letters.ts'
import { newTenant, operator, summarizeJob } from './support/tenant.ts'
import { until } from './support/wait.ts'

describe('a job whose provider', () => {
  it.each([
    ['fails twice and then answers', 'test/flaky', 'succeeded', 3, null],
    ['refuses the content', 'test/content-filtered', 'failed', 1, 'content_filtered'],
    ['gives answers that break the contract', 'test/invalid-output', 'failed', 2, 'invalid_output'],
    ['refuses our access', 'test/permission-denied', 'failed', 1, 'permission_denied'],
    ['cannot be reached', 'test/unavailable', 'failed', 6, 'provider_unavailable'],
    ['limits our rate', 'test/rate-limited', 'failed', 6, 'rate_limited'],
    ['has a price', 'test/priced', 'succeeded', 1, null],
  ])('%s ends as its class says', async (_, model, status, attempts, failure) => {
    const acme = await newTenant()
    const { id } = await acme.submitted(summarizeJob({ model }))

    const job = await acme.ended(id, 45_000)

    expect(job).toMatchObject({ status, attempts })
    expect(job.error?.class ?? null).toBe(failure)
  })

  it('does not answer is given up after its time, and tried again', async () => {
    const acme = await newTenant()
    const { id } = await acme.submitted(summarizeJob({ model: 'test/hangs', deadline_seconds: 120 }))

    const lines = await until(
      `job ${id} is tried twice`,
      async () => {
        const attempts = (await logs()).filter((line) => line.includes('job.attempted') && line.includes(id))
        return attempts.length > 1 && attempts
      },
      75_000,
    )

    for (const line of lines)
      expect(JSON.parse(line)).toMatchObject({ class: 'timeout', latency_ms: expect.any(Number) })
    expect(await acme.job(id)).toMatchObject({ terminal: false, error: null })
  })

  it('is paid books its cost once', async () => {
    const acme = await newTenant()
    const { id } = await acme.submitted(summarizeJob({ model: 'test/priced' }))

    expect((await acme.ended(id)).usage).toMatchObject({ cost_usd: 0.01 })
  })

  it('is dearer than max_cost_usd is refused', async () => {
    const acme = await newTenant()

    const { status, body } = await acme.submit(summarizeJob({ model: 'test/priced', max_cost_usd: 0.005 }))

    expect([status, body.type]).toEqual([402, 'https://api.gateway.test/problems/cost-over-limit'])
  })
})

describe('a dead letter', () => {
  it('is kept for a failure that the customer cannot mend, where operators find it', async () => {
    const acme = await newTenant()
    const { id } = await acme.submitted(summarizeJob({ model: 'test/permission-denied' }))
    await acme.ended(id)

    const letter = await deadLetterOf(id)

    expect(letter).toMatchObject({
      object: 'dead_letter',
      queue: 'jobs',
      tenant_id: acme.id,
      job_id: id,
      class: 'permission_denied',
      attempts: 1,
      schema_version: 1,
      status: 'open',
      redrivable: true,
      new_job_id: null,
    })
    const { body } = await (await operator()).get(
      `/ops/v1/dead_letters?tenant_id=${acme.id}&class=permission_denied`,
    )
    expect(body.data).toEqual([letter])
  })

  it('is not kept for a failure that the customer can mend', async () => {
    const acme = await newTenant()
    const refused = await acme.submitted(summarizeJob({ model: 'test/content-filtered' }))
    const ours = await acme.submitted(summarizeJob({ model: 'test/permission-denied' }))
    await Promise.all([acme.ended(refused.id), acme.ended(ours.id)])
    await deadLetterOf(ours.id)

    const { body } = await (await operator()).get(`/ops/v1/dead_letters?tenant_id=${acme.id}`)

    expect(body.data).toHaveLength(1)
  })

  it('is shown to operators only, and listed by filter and cursor', async () => {
    const acme = await newTenant()
    const jobs = [1, 2, 3].map(() => acme.submitted(summarizeJob({ model: 'test/permission-denied' })))
    for (const { id } of await Promise.all(jobs)) await deadLetterOf(id)
    const ops = await operator()

    const first = (await ops.get(`/ops/v1/dead_letters?tenant_id=${acme.id}&status=open&limit=2`)).body
    const cursor = encodeURIComponent(first.next_cursor ?? '')
    const second = (
      await ops.get(`/ops/v1/dead_letters?tenant_id=${acme.id}&status=open&limit=2&cursor=${cursor}`)
    ).body

    expect([first.data.length, second.data.length, second.has_more]).toEqual([2, 1, false])
    expect((await acme.get('/ops/v1/dead_letters')).status).toBe(401)
    expect((await ops.get('/v1/jobs')).status).toBe(401)
    expect((await ops.get('/ops/v1/dead_letters/dl_unknown')).status).toBe(404)
    expect((await ops.get('/ops/v1/dead_letters?status=lost')).body.errors[0]?.parameter).toBe('status')
  })
})

describe('a log line', () => {
  it('tells of attempts without a word of their content', async () => {
    const acme = await newTenant()
    const { id } = await acme.submitted({
      kind: 'summarize',
      input: { text: 'Pineapples are remarkably discreet.' },
    })
    await acme.ended(id)

    const lines = await logs()

    const attempted = lines.filter((line) => line.includes('job.attempted') && line.includes(id))
    expect(attempted).toHaveLength(1)
    expect(lines.join('\n')).not.toContain('remarkably discreet')
  })
})
