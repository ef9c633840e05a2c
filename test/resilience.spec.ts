import { createHash, randomUUID } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import { callLedger, evict, inDirectory, inLedger, logs, send, tick } from './support/control.ts'
import { newReceiver } from './support/receiver.ts'
import { newTenant, operator, summarizeJob, type Tenant } from './support/tenant.ts'
import { pause, until } from './support/wait.ts'

interface Claim {
  readonly messageId: string
  readonly lease?: { jobId: string; attempt: number; until: number; providerKey: string }
  readonly notHeld?: string
}

const message = (tenant: Tenant, jobId: string, attempt: number) => ({
  v: 1,
  tenant_id: tenant.id,
  job_id: jobId,
  kind: 'summarize',
  attempt,
  input_ref: null,
})

const claim = async (tenant: Tenant, jobId: string, attempt: number, messageId: string = randomUUID()) => {
  const [answer] = await callLedger<Claim[]>(tenant.id, 'claimJobs', [{ messageId, jobId, attempt }])
  return answer as Claim
}

const settle = async (tenant: Tenant, jobId: string, attempt: number, summary: string) => {
  const outcome = { kind: 'completed', output: JSON.stringify({ summary }), outputRef: null }
  const usage = { inputTokens: 1, outputTokens: 1 }
  const settlement = { jobId, attempt, outcome, usage, providerRequestId: null }
  const [answer] = await callLedger<string[]>(tenant.id, 'settleJobs', [settlement])
  return answer
}

/** A tenant whose limit of starts is used up: its job waits, and the spec can play the consumer. */
async function withWaitingJob(job = summarizeJob()): Promise<{ acme: Tenant; id: string }> {
  const acme = await newTenant({ jobs_per_minute: 1 })
  const first = await acme.submitted()
  await acme.ended(first.id)
  const { id } = await acme.submitted(job)
  return { acme, id }
}

/** Lifts the limit: what waits may start. */
const letStart = async ({ id }: Tenant) =>
  (await operator()).request('PATCH', `/ops/v1/tenants/${id}`, {
    json: { limits: { jobs_per_minute: 100 }, reason: 'a spec goes on' },
  })

/** The waiting job as a consumer left it that claimed it and died: its lease ends in a moment. */
async function withDeadConsumer(): Promise<{ acme: Tenant; id: string }> {
  const waiting = await withWaitingJob()
  await inLedger(
    waiting.acme.id,
    "update jobs set status = 'running', attempt = 1, claim_id = 'dead', started_at = ?, last_attempt_at = ?, due_at = ? where id = ?",
    Date.now(),
    Date.now(),
    Date.now() + 500,
    waiting.id,
  )
  return waiting
}

const eventsOf = async (tenant: Tenant, jobId: string) =>
  (await inLedger<{ type: string }>(tenant.id, 'select type from events where subject_id = ?', jobId)).map(
    ({ type }) => type,
  )

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

describe('a queue message', () => {
  it('that comes twice runs and settles the job once', async () => {
    const acme = await newTenant()
    const { id } = await acme.submitted()
    await Promise.all([send('jobs', message(acme, id, 1)), send('jobs', message(acme, id, 1))])

    const job = await acme.ended(id)
    await pause(1500)

    expect(await acme.job(id)).toEqual(job)
    expect(job.attempts).toBe(1)
    expect(await eventsOf(acme, id)).toEqual(['job.accepted', 'job.result_available'])
  })

  it('that is lost is sent again', async () => {
    const { acme, id } = await withWaitingJob()
    const lost = { at: Date.now(), lookAt: Date.now() + 3000, tries: 0, queue: 'jobs' }
    await inLedger(acme.id, "insert into meta values ('marks', ?)", JSON.stringify({ [id]: lost }))
    await evict(acme.id)
    await letStart(acme)

    const job = await acme.ended(id)

    expect(job).toMatchObject({ status: 'succeeded', attempts: 1 })
    expect(Date.parse(job.started_at)).toBeGreaterThanOrEqual(lost.lookAt)
  })

  it('of an unknown version is acknowledged, and its job runs all the same', async () => {
    const acme = await newTenant()
    const { id } = await acme.submitted()
    await send('jobs', { ...message(acme, id, 1), v: 2, shape: 'new' })

    expect(await acme.ended(id)).toMatchObject({ status: 'succeeded' })

    expect(await inDirectory('select id from dead_letters where tenant_id = ?', acme.id)).toEqual([])
  })

  it('that cannot be read becomes a dead letter with its hash, and the rest of its batch goes on', async () => {
    const acme = await newTenant()
    const garbage = `garbage ${randomUUID()}`
    await send('jobs', garbage, 'text')
    const { id } = await acme.submitted()

    expect(await acme.ended(id)).toMatchObject({ status: 'succeeded' })

    const sha256 = createHash('sha256').update(garbage).digest('hex')
    const letters = await until('the dead letter', async () => {
      const rows = await inDirectory('select * from dead_letters where message_sha256 = ?', sha256)
      return rows.length > 0 && rows
    })
    expect(letters).toEqual([
      expect.objectContaining({
        queue: 'jobs',
        class: 'unparseable',
        status: 'open',
        job_id: null,
        redrivable: 0,
      }),
    ])
    expect(JSON.stringify(letters)).not.toContain(garbage)
  })

  it('for a tenant that does not exist is dropped', async () => {
    const acme = await newTenant()
    const { id } = await acme.submitted()
    await send('jobs', { ...message(acme, id, 1), tenant_id: 'nobody' })

    expect(await acme.ended(id)).toMatchObject({ attempts: 1 })
  })
})

describe('a claim', () => {
  it('whose reply was lost gets the same lease again', async () => {
    const acme = await newTenant()
    const { id } = await acme.submitted(summarizeJob({ model: 'test/slow' }))
    await acme.reached(id, 'running')
    const [row] = await inLedger<{ claim_id: string }>(acme.id, 'select claim_id from jobs where id = ?', id)

    const again = await claim(acme, id, 1, row?.claim_id)
    const other = await claim(acme, id, 1)

    expect(again.lease).toMatchObject({ jobId: id, attempt: 1, providerKey: `${id}-0` })
    expect(other).toMatchObject({ notHeld: 'not_next' })
    expect(await acme.job(id)).toMatchObject({ attempts: 1 })
  })

  it.each([0, 2, 7])('of attempt %i does not hold when the next is 1', async (attempt) => {
    const { acme, id } = await withWaitingJob()

    expect(await claim(acme, id, attempt)).toMatchObject({ notHeld: 'not_next' })
  })

  it('beyond the limits of the tenant does not hold and costs no attempt', async () => {
    const { acme, id } = await withWaitingJob()

    expect(await claim(acme, id, 1)).toMatchObject({ notHeld: 'over_limit' })
    expect(await acme.job(id)).toMatchObject({ status: 'accepted', attempts: 0 })
  })
})

describe('a lease', () => {
  it('that is lost is taken over, costs no attempt of a class, and the job then runs alone', async () => {
    const { acme, id } = await withDeadConsumer()
    await letStart(acme)

    const job = await acme.ended(id)

    expect(job).toMatchObject({ status: 'succeeded', attempts: 2 })
    const columns = 'lost_leases, failures'
    const rows = await inLedger(acme.id, `select ${columns} from jobs where id = ?`, id)
    expect(rows).toEqual([{ lost_leases: 1, failures: '{}' }])
  })

  it('that ran out lets its attempt settle as long as no newer claim exists', async () => {
    const { acme, id } = await withDeadConsumer()
    await acme.reached(id, 'retrying')

    expect(await settle(acme, id, 1, 'late, but the only one')).toBe('settled')
    expect(await settle(acme, id, 1, 'again')).toBe('already')

    expect((await acme.result(id)).output.summary).toBe('late, but the only one')
  })

  it('does not let its attempt settle once a newer claim exists', async () => {
    const { acme, id } = await withDeadConsumer()
    await letStart(acme)
    await acme.ended(id)

    expect(await settle(acme, id, 1, 'too late')).toBe('superseded')

    expect((await acme.result(id)).output.summary).not.toBe('too late')
    expect(await eventsOf(acme, id)).toEqual(['job.accepted', 'job.result_available'])
  })

  it('is kept while a call takes longer than one lease', async () => {
    const acme = await newTenant()
    const { id } = await acme.submitted(summarizeJob({ model: 'test/slow' }))

    expect(await acme.ended(id, 60_000)).toMatchObject({ status: 'succeeded', attempts: 1 })
  })
})

describe('a dead-letter queue', () => {
  const recorded = (condition: string, value: string) =>
    until('the record', async () => {
      const rows = await inDirectory<{ status: string }>(
        `select * from dead_letters where ${condition} = ?`,
        value,
      )
      return rows.length > 0 && rows
    })

  it('asks the ledger before anything fails: work that goes on is recovered', async () => {
    const { acme, id } = await withWaitingJob()

    await send('jobs-dlq', message(acme, id, 1))

    const expected = { status: 'recovered', queue: 'jobs', tenant_id: acme.id, redrivable: 0 }
    expect(await recorded('job_id', id)).toEqual([expect.objectContaining(expected)])
    await letStart(acme)
    expect(await acme.ended(id)).toMatchObject({ status: 'succeeded', attempts: 1 })
  })

  it('finds work that has ended superseded', async () => {
    const acme = await newTenant()
    const { id } = await acme.submitted()
    const job = await acme.ended(id)

    await send('jobs-dlq', message(acme, id, 1))

    expect(await recorded('job_id', id)).toEqual([expect.objectContaining({ status: 'superseded' })])
    expect(await acme.job(id)).toEqual(job)
  })

  it('keeps what a job fails of later, though its message was recovered before', async () => {
    const { acme, id } = await withWaitingJob(summarizeJob({ model: 'test/permission-denied' }))
    await send('jobs-dlq', message(acme, id, 1))
    await recorded('job_id', id)
    await letStart(acme)
    await acme.ended(id)

    const letter = await until('the open dead letter', async () => {
      const [row] = await recorded('job_id', id)
      return row?.status === 'open' && row
    })

    expect(letter).toMatchObject({ class: 'permission_denied', redrivable: 1 })
  })

  it('records what it cannot read with its hash', async () => {
    const garbage = `garbage ${randomUUID()}`
    await send('callbacks-dlq', garbage, 'text')

    const sha256 = createHash('sha256').update(garbage).digest('hex')
    const expected = { status: 'open', queue: 'callbacks', class: 'unparseable' }
    expect(await recorded('message_sha256', sha256)).toEqual([expect.objectContaining(expected)])
  })
})

describe("the minute's cron", () => {
  it('wakes a ledger that has work open and has gone quiet', async () => {
    const { acme } = await withWaitingJob()
    const ledger = `${acme.id}:1:0`
    await until('the roll-up', async () => {
      const rows = await inDirectory('select * from roll_ups where ledger = ? and open_jobs > 0', ledger)
      return rows.length > 0
    })
    await inDirectory('update roll_ups set updated_at = 1, revision = 1 where ledger = ?', ledger)
    await evict(acme.id)

    await tick()

    await until('the ledger is heard of again', async () => {
      const [row] = await inDirectory<{ updated_at: number }>(
        'select * from roll_ups where ledger = ?',
        ledger,
      )
      return (row?.updated_at ?? 0) > 1
    })
    expect((await logs()).some((line) => line.includes('ledger.poked') && line.includes(ledger))).toBe(true)
  })
})
