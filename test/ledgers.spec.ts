import { randomUUID } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import { type Claim, withWaitingJob } from './support/consumer.ts'
import { callLedger, evict, inDirectory, inLedger, ledgerOf, logs, tick } from './support/control.ts'
import { newReceiver } from './support/receiver.ts'
import { newTenant, summarizeJob } from './support/tenant.ts'
import { pause, until } from './support/wait.ts'

describe('a ledger', () => {
  it('that is evicted between accept and dispatch loses nothing', async () => {
    const acme = await newTenant()
    const receiver = await newReceiver()
    await acme.listens(receiver)
    const jobs = await Promise.all(Array.from({ length: 10 }, () => acme.submitted()))

    await evict(acme.id)
    const ended = await Promise.all(jobs.map(({ id }) => acme.ended(id)))

    expect(ended.map(({ status }) => status)).toEqual(Array(10).fill('succeeded'))
    await receiver.arrived(20)
  })

  it('that is evicted at any moment goes on by itself, without a call', async () => {
    const acme = await newTenant()
    const receiver = await newReceiver()
    await acme.listens(receiver, ['job.result_available'])
    await acme.submitted(summarizeJob({ model: 'test/flaky' }))

    for (let at = 0; at < 8; at++) {
      await pause(150)
      await evict(acme.id).catch(() => undefined)
    }

    await receiver.event('job.result_available')
  })

  it('that is evicted while requests are in flight answers each of them as a first one', async () => {
    const acme = await newTenant()
    const evictions = Promise.all(
      Array.from({ length: 12 }, async (_, at) => {
        await pause(at * 40)
        await evict(acme.id).catch(() => undefined)
      }),
    )

    const answers = await Promise.all(
      Array.from({ length: 60 }, async (_, at) => {
        await pause(at * 8)
        return acme.submit()
      }),
    )
    await evictions

    expect(answers.map(({ status }) => status)).toEqual(Array(60).fill(202))
    expect(answers.filter(({ headers }) => headers.has('Idempotency-Replayed'))).toEqual([])
    expect((await acme.get('/v1/jobs?limit=100')).body.data).toHaveLength(60)
  })

  it('that comes back with a mark of a job that has ended holds nothing back for it', async () => {
    const acme = await newTenant({ max_running: 1 })
    const { id } = await acme.submitted()
    await acme.ended(id)
    const stale = { at: Date.now(), lookAt: Date.now() + 60_000, tries: 6, queue: 'jobs' }
    await inLedger(
      acme.id,
      "insert or replace into meta values ('marks', ?)",
      JSON.stringify({ [id]: stale }),
    )
    await evict(acme.id)

    const next = await acme.submitted()

    expect(await acme.ended(next.id, 5000)).toMatchObject({ status: 'succeeded' })
  })

  it('creates no tables for a name that was never provisioned', async () => {
    const stranger = `t-${randomUUID()}`

    const claims = await callLedger<Claim[]>(stranger, 'claimJobs', [
      { messageId: 'm', jobId: 'job_x', attempt: 1 },
    ])
    const reply = await callLedger<{ ok: boolean }>(stranger, 'readJob', 'job_x')

    expect([claims, reply.ok]).toEqual([[], false])
    expect(await inLedger(stranger, "select name from sqlite_master where name = 'jobs'")).toEqual([])
  })
})

describe("the minute's cron", () => {
  it('wakes a ledger that has work open and has gone quiet', async () => {
    const { acme } = await withWaitingJob()
    const ledger = ledgerOf(acme.id)
    // Its alarm may let it report itself at any moment; that report is taken for older than this one, so that it stays silent.
    await inDirectory(
      `insert or replace into roll_ups (ledger, revision, open_jobs, updated_at, figures) values (?, ?, 1, 1, '{}')`,
      ledger,
      Number.MAX_SAFE_INTEGER,
    )
    await evict(acme.id)

    await tick()

    await until('the ledger is poked', async () =>
      (await logs()).some((line) => line.includes('ledger.poked') && line.includes(ledger)),
    )
    await inDirectory('update roll_ups set revision = 1 where ledger = ?', ledger)
    await evict(acme.id)
    await tick()
    await until('the ledger is heard of again', async () => {
      const [row] = await inDirectory<{ updated_at: number }>(
        'select updated_at from roll_ups where ledger = ?',
        ledger,
      )
      return (row?.updated_at ?? 0) > 1
    })
  })
})
