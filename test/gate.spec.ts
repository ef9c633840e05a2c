import { describe, expect, it } from 'vitest'
import { claim } from './support/consumer.ts'
import { callLedger, inLedger, logs } from './support/control.ts'
import { newTenant, summarizeJob, type Tenant } from './support/tenant.ts'
import { until } from './support/wait.ts'

/** The provider lets all tenants together start 30 a minute. */
const A_MINUTE = 30
const limited = summarizeJob({ model: 'test/limited' })

const statuses = async ({ id }: Tenant) =>
  Object.fromEntries(
    (
      await inLedger<{ status: string; n: number }>(
        id,
        'select status, count(*) as n from jobs group by status',
      )
    ).map(({ status, n }) => [status, n]),
  )

describe("a provider's limits", () => {
  it('hold for all tenants together, and cost nobody an attempt', async () => {
    const [acme, globex] = [await newTenant(), await newTenant()]
    const jobs = await Promise.all(Array.from({ length: A_MINUTE + 4 }, () => acme.submitted(limited)))
    await until('the provider is used up', async () => (await statuses(acme)).succeeded === A_MINUTE)

    const { id: foreign } = await globex.submitted(limited)
    await until('a claim of the other tenant is given back', async () =>
      (await logs()).some((line) => line.includes('job.released') && line.includes(foreign)),
    )

    const now = await Promise.all(jobs.map(({ id }) => acme.job(id)))
    const waiting = now.filter(({ status }) => status !== 'succeeded')
    expect(waiting.map(({ status, attempts, started_at }) => [status, attempts, started_at])).toEqual(
      Array(4).fill(['accepted', 0, null]),
    )
    await until(
      'it says what it waits for',
      async () => (await globex.job(foreign)).status_reason === 'waiting_for_limit',
    )
    expect(await globex.job(foreign)).toMatchObject({ status: 'accepted', attempts: 0 })
    const { id: other } = await globex.submitted()
    expect(await globex.ended(other)).toMatchObject({ status: 'succeeded' })
  })
})

describe('a claim that is given back', () => {
  const NEVER_MS = 3_600_000
  const giveBack = (tenant: Tenant, jobId: string, attempt: number, notBefore: number) =>
    callLedger(tenant.id, 'releaseJobs', [{ jobId, attempt, model: 'embedded/extract-1', notBefore }])

  async function withHeldJob() {
    const acme = await newTenant()
    await giveBack(acme, 'job_none', 1, Date.now() + NEVER_MS)
    const { id } = await acme.submitted()
    return { acme, id }
  }

  it('leaves the job as it was, to be claimed as the next attempt', async () => {
    const { acme, id } = await withHeldJob()
    await claim(acme, id, 1)
    await giveBack(acme, id, 1, Date.now() + NEVER_MS)

    expect(await acme.job(id)).toMatchObject({
      status: 'accepted',
      status_reason: 'waiting_for_limit',
      attempts: 0,
      started_at: null,
    })
    expect(await claim(acme, id, 1)).toMatchObject({ notHeld: 'not_next' })
    expect((await claim(acme, id, 2)).lease).toMatchObject({ attempt: 2, providerKey: `${id}-0` })
    expect(await acme.job(id)).toMatchObject({ status: 'running', attempts: 1 })
  })

  it('twice, or late, takes nothing from who holds it since', async () => {
    const { acme, id } = await withHeldJob()
    await claim(acme, id, 1)
    await giveBack(acme, id, 1, Date.now() + NEVER_MS)
    await giveBack(acme, id, 1, Date.now() + NEVER_MS)
    await claim(acme, id, 2)
    await giveBack(acme, id, 1, Date.now() + NEVER_MS)

    expect(await acme.job(id)).toMatchObject({ status: 'running', attempts: 1 })
  })

  it('is released again by itself when the time has come', async () => {
    const acme = await newTenant()
    await giveBack(acme, 'job_none', 1, Date.now() + 3000)
    const { id } = await acme.submitted()

    const job = await acme.ended(id)

    expect(job).toMatchObject({ status: 'succeeded', attempts: 1 })
  })

  it('may be given back as often as it takes', async () => {
    const { acme, id } = await withHeldJob()
    for (let attempt = 1; attempt <= 70; attempt++) {
      expect((await claim(acme, id, attempt)).lease?.attempt).toBe(attempt)
      await giveBack(acme, id, attempt, Date.now() + NEVER_MS)
    }

    expect(await acme.job(id)).toMatchObject({ status: 'accepted', attempts: 0, usage: null })
  })
})
