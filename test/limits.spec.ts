import { describe, expect, it } from 'vitest'
import { newTenant, operator, summarizeJob } from './support/tenant.ts'
import { pause } from './support/wait.ts'

describe("a tenant's limits", () => {
  it('never let more than max_running jobs run at once', async () => {
    const acme = await newTenant({ max_running: 2 })
    const slow = summarizeJob({ model: 'test/slow' })
    const jobs = await Promise.all(Array.from({ length: 6 }, () => acme.submitted(slow)))

    let most = 0
    for (const endsAt = Date.now() + 12_000; Date.now() < endsAt; await pause(150)) {
      const { body } = await acme.get('/v1/jobs?status=running')
      most = Math.max(most, body.data.length)
      expect(body.data.length).toBeLessThanOrEqual(2)
    }
    const ended = await Promise.all(jobs.map(({ id }) => acme.ended(id, 75_000)))

    expect(most).toBe(2)
    expect(ended.every(({ status, attempts }) => status === 'succeeded' && attempts === 1)).toBe(true)
  })

  it('let no more jobs start in a minute than jobs_per_minute, and say what the rest waits for', async () => {
    const acme = await newTenant({ jobs_per_minute: 3 })
    const jobs = await Promise.all(Array.from({ length: 5 }, () => acme.submitted()))

    await pause(5000)
    const now = await Promise.all(jobs.map(({ id }) => acme.job(id)))

    const waiting = now.filter(({ status }) => status === 'accepted')
    expect(now.filter(({ status }) => status === 'succeeded')).toHaveLength(3)
    expect(waiting.map(({ status_reason, attempts }) => [status_reason, attempts])).toEqual(
      Array(2).fill(['waiting_for_limit', 0]),
    )
  })

  it('start jobs of high priority first', async () => {
    const acme = await newTenant({ max_running: 1 })
    const blocker = await acme.submitted(summarizeJob({ model: 'test/slow' }))
    await acme.reached(blocker.id, 'running')
    const low = await acme.submitted(summarizeJob({ priority: 'low' }))
    const normal = await acme.submitted()
    const high = await acme.submitted(summarizeJob({ priority: 'high' }))

    const ended = await Promise.all([high, normal, low].map(({ id }) => acme.ended(id)))

    const starts = ended.map(({ started_at }) => Date.parse(started_at))
    expect(starts).toEqual(starts.toSorted((a, b) => a - b))
  })

  it('refuse requests over the rate, bad ones counted too, and say when to come again', async () => {
    const acme = await newTenant({ requests_per_minute: 4 })
    const first = await acme.get('/v1/jobs')
    await acme.submit({ kind: 'unknown' })
    await acme.client.request('POST', '/v1/jobs', {
      raw: '{',
      headers: { 'Content-Type': 'application/json' },
    })
    const fourth = await acme.get('/v1/jobs')

    const over = await acme.get('/v1/jobs')
    const overAndBad = await acme.submit({ kind: 'unknown' })

    expect(first.headers.get('RateLimit-Policy')).toBe('"requests";q=4;w=60')
    expect(first.headers.get('RateLimit')).toMatch(/^"requests";r=3;t=[0-9]+$/)
    expect(fourth.headers.get('RateLimit')).toMatch(/^"requests";r=0;t=[0-9]+$/)
    for (const { status, body, headers } of [over, overAndBad]) {
      expect([status, body.type]).toEqual([429, 'https://api.gateway.test/problems/rate-limited'])
      expect(Number(headers.get('Retry-After'))).toBeGreaterThan(0)
    }
  })

  it('of one tenant do not touch another', async () => {
    const [acme, globex] = [await newTenant({ max_running: 1 }), await newTenant()]
    for (let at = 0; at < 30; at++) await acme.submitted(summarizeJob({ model: 'test/flaky' }))

    const sentAt = Date.now()
    const { id } = await globex.submitted()
    await globex.ended(id)

    expect(Date.now() - sentAt).toBeLessThan(5000)
  })

  it('follow a change of the plan at once', async () => {
    const acme = await newTenant({ max_backlog: 1, max_running: 1 })
    await acme.submitted(summarizeJob({ model: 'test/slow' }))
    expect((await acme.submit()).status).toBe(429)

    const ops = await operator()
    const path = `/ops/v1/tenants/${acme.id}`
    const patched = await ops.request('PATCH', path, {
      json: { limits: { max_backlog: 2 }, reason: 'more room' },
    })

    expect(patched.body).toMatchObject({ limits: { max_backlog: 2, max_running: 1, test_models: true } })
    expect((await acme.submit()).status).toBe(202)
  })
})
