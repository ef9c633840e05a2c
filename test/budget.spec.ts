import { describe, expect, it } from 'vitest'
import { claim, settle } from './support/consumer.ts'
import { callLedger, evict, inDirectory, inLedger } from './support/control.ts'
import { newTenant, summarizeJob, type Tenant } from './support/tenant.ts'
import { until } from './support/wait.ts'

/** One attempt costs 10,000 micro-USD. */
const priced = summarizeJob({ model: 'test/priced' })
const HOUR_MS = 3_600_000

const monthNow = () => Number(new Date().toISOString().slice(0, 7).replace('-', ''))
const reserved = async ({ id }: Tenant) =>
  (await inLedger<{ total: number }>(id, 'select total(reserved_micro_usd) as total from jobs'))[0]?.total
const spent = async ({ id }: Tenant) => inLedger<{ month: number }>(id, 'select month, micro_usd from spend')

/** Nothing of the model is sent to the queues any more, so that the spec is the only consumer. */
const holdBack = (tenant: Tenant) =>
  callLedger(tenant.id, 'releaseJobs', [
    { jobId: 'job_none', attempt: 1, model: 'test/priced', notBefore: Date.now() + HOUR_MS },
  ])

async function withHeldJob(limits: object) {
  const acme = await newTenant({ ...limits })
  await holdBack(acme)
  const { id } = await acme.submitted(priced)
  return { acme, id }
}

const failBilled = (tenant: Tenant, jobId: string, attempt: number) =>
  callLedger<{ kind: string }[]>(tenant.id, 'settleJobs', [
    {
      jobId,
      attempt,
      outcome: { kind: 'failed', class: 'invalid_output', retryAfterMs: null },
      usage: { inputTokens: 3, outputTokens: 0 },
      providerRequestId: null,
    },
  ])

describe("a tenant's monthly budget", () => {
  it('is never passed, however many ask at once', async () => {
    const acme = await newTenant({ monthly_budget_usd: 0.05 })

    const answers = await Promise.all(Array.from({ length: 14 }, () => acme.submit(priced)))

    const taken = answers.filter(({ status }) => status === 202)
    const refused = answers.filter(({ status }) => status !== 202)
    expect(taken).toHaveLength(5)
    for (const { status, body } of refused)
      expect([status, body.type]).toEqual([402, 'https://api.gateway.test/problems/budget-exhausted'])
    const ended = await Promise.all(taken.map(({ body }) => acme.ended(body.id)))
    expect(ended.map(({ usage }) => usage?.cost_usd)).toEqual(Array(5).fill(0.01))
    expect(await reserved(acme)).toBe(0)
    expect(await spent(acme)).toEqual([{ month: monthNow(), micro_usd: 50_000 }])
    expect((await acme.submit(priced)).status).toBe(402)
    expect((await acme.submit()).status).toBe(202)
  })

  it('is held by what waits, also by a ledger that was evicted, and given back by what ends without cost', async () => {
    const { acme, id } = await withHeldJob({ monthly_budget_usd: 0.01 })
    await evict(acme.id)

    expect((await acme.submit(priced)).status).toBe(402)
    await acme.cancel(id)

    expect(await reserved(acme)).toBe(0)
    expect((await acme.submit(priced)).status).toBe(202)
  })

  it('has to have room again for a retry after an attempt that was billed', async () => {
    const { acme, id } = await withHeldJob({ monthly_budget_usd: 0.01 })
    await claim(acme, id, 1)
    await failBilled(acme, id, 1)
    await until(
      'the retry is due',
      async () => Date.parse((await acme.job(id)).next_attempt_at ?? '') < Date.now(),
    )

    expect(await claim(acme, id, 2)).toMatchObject({ notHeld: 'budget_exhausted' })

    const job = await acme.job(id)
    expect(job).toMatchObject({ status: 'failed', error: { class: 'budget_exhausted' }, attempts: 1 })
    expect(job.usage).toMatchObject({ cost_usd: 0.01 })
    expect(await reserved(acme)).toBe(0)
    expect(await inDirectory('select id from dead_letters where job_id = ?', id)).toEqual([])
  })

  it('counts each of several attempts that were billed', async () => {
    const { acme, id } = await withHeldJob({ monthly_budget_usd: 0.02 })
    await claim(acme, id, 1)
    await failBilled(acme, id, 1)
    await failBilled(acme, id, 1)
    await until('the retry is claimed', async () => (await claim(acme, id, 2)).lease)
    expect(await reserved(acme)).toBe(10_000)
    await settle(acme, id, 2, 'at last')

    expect((await acme.job(id)).usage).toMatchObject({ cost_usd: 0.02 })
    expect(await spent(acme)).toEqual([{ month: monthNow(), micro_usd: 20_000 }])
    expect(await reserved(acme)).toBe(0)
  })

  it('books to the month in which it was set aside', async () => {
    const { acme, id } = await withHeldJob({ monthly_budget_usd: 0.01 })
    await inLedger(acme.id, 'update jobs set reserved_month = 202601 where id = ?', id)
    await evict(acme.id)
    await holdBack(acme)
    expect((await acme.submit(priced)).status).toBe(202)
    await claim(acme, id, 1)
    await settle(acme, id, 1, 'late in the year')

    expect(await spent(acme)).toEqual([{ month: 202601, micro_usd: 10_000 }])
    expect((await acme.submit(priced)).status).toBe(402)
  })
})

describe('an attempt that is out when its job is cancelled', () => {
  it('is booked at what it cost when it comes late', async () => {
    const { acme, id } = await withHeldJob({ monthly_budget_usd: 0.01 })
    await claim(acme, id, 1)
    await acme.cancel(id)
    expect(await reserved(acme)).toBe(10_000)

    expect(await settle(acme, id, 1, 'too late')).toBe('superseded')
    expect(await settle(acme, id, 1, 'too late again')).toBe('superseded')

    expect(await acme.job(id)).toMatchObject({ status: 'cancelled', usage: { cost_usd: 0.01 } })
    expect([await reserved(acme), await spent(acme)]).toEqual([0, [{ month: monthNow(), micro_usd: 10_000 }]])
  })

  it('is booked at its estimate when it is never heard of again', async () => {
    const { acme, id } = await withHeldJob({ monthly_budget_usd: 0.01 })
    await claim(acme, id, 1)
    await acme.cancel(id)

    const job = await until('the attempt is booked', async () => {
      const now = await acme.job(id)
      return now.usage && now
    })

    expect(job).toMatchObject({ status: 'cancelled', usage: { cost_usd: 0.01 } })
    expect(await reserved(acme)).toBe(0)
    expect(await settle(acme, id, 1, 'very late')).toBe('superseded')
    expect(await spent(acme)).toEqual([{ month: monthNow(), micro_usd: 10_000 }])
  })
})

describe('an attempt that is heard of late', () => {
  it('leaves alone what is set aside for a newer one', async () => {
    const { acme, id } = await withHeldJob({ monthly_budget_usd: 0.05 })
    await claim(acme, id, 1)
    await callLedger(acme.id, 'releaseJobs', [
      { jobId: id, attempt: 1, model: 'test/priced', notBefore: Date.now() + HOUR_MS },
    ])
    await claim(acme, id, 2)
    await acme.cancel(id)
    await settle(acme, id, 1, 'of the other holder of the first claim')

    const silent = await until('the newer one is booked too', async () => {
      const { usage } = await acme.job(id)
      return usage.cost_usd > 0.01 && usage
    })

    expect(silent.cost_usd).toBe(0.02)
    expect([await reserved(acme), await spent(acme)]).toEqual([0, [{ month: monthNow(), micro_usd: 20_000 }]])
  })

  it('with figures that make no sense is booked at its estimate, and its job can be read', async () => {
    const { acme, id } = await withHeldJob({ monthly_budget_usd: 0.05 })
    await claim(acme, id, 1)
    const outcome = { kind: 'completed', output: '{"summary":"x"}', outputRef: null }
    const usage = { inputTokens: 1e300, outputTokens: -1 }
    const settlement = { jobId: id, attempt: 1, outcome, usage, providerRequestId: null }
    await callLedger(acme.id, 'settleJobs', [settlement])

    expect(await acme.job(id)).toMatchObject({
      status: 'succeeded',
      usage: { cost_usd: 0.01, input_tokens: 0 },
    })
    expect((await acme.get('/v1/jobs')).status).toBe(200)
  })
})

describe('an attempt that two consumers run under one claim', () => {
  it('tells what it is booked at, when the second is answered after the first was not', async () => {
    const { acme, id } = await withHeldJob({})
    await claim(acme, id, 1)
    const outcome = { kind: 'failed', class: 'permission_denied', retryAfterMs: null }
    const first = { jobId: id, attempt: 1, outcome, usage: null, providerRequestId: null }
    const settled = await callLedger(acme.id, 'settleJobs', [first])

    const late = await failBilled(acme, id, 1)
    const again = await failBilled(acme, id, 1)

    expect([settled, late, again]).toMatchObject([
      [{ kind: 'settled', status: 'failed', costMicroUsd: 0 }],
      [{ kind: 'already', costMicroUsd: 10_000 }],
      [{ kind: 'already', costMicroUsd: 0 }],
    ])
    expect(await spent(acme)).toEqual([{ month: monthNow(), micro_usd: 10_000 }])
  })
})
