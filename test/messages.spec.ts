import { createHash, randomUUID } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import { eventsOf, letStart, message, withWaitingJob } from './support/consumer.ts'
import { evict, inDirectory, inLedger, logs, send } from './support/control.ts'
import { newTenant, summarizeJob } from './support/tenant.ts'
import { pause, until } from './support/wait.ts'

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
    // The ledger's own alarm writes down what it has in memory, and may do so before it is evicted.
    const lost = await until('a mark outlives the ledger', async () => {
      const mark = { at: Date.now(), lookAt: Date.now() + 1500, tries: 0, queue: 'jobs' }
      await inLedger(
        acme.id,
        "insert or replace into meta values ('marks', ?)",
        JSON.stringify({ [id]: mark }),
      )
      await evict(acme.id)
      const [kept] = await inLedger<{ value: string }>(acme.id, "select value from meta where name = 'marks'")
      return kept?.value.includes(id) && mark
    })
    await letStart(acme)

    const job = await acme.ended(id)

    expect(job).toMatchObject({ status: 'succeeded', attempts: 1 })
    expect(Date.parse(job.started_at)).toBeGreaterThanOrEqual(lost.lookAt)
  })

  it('of an unknown version is acknowledged, and its job runs all the same', async () => {
    const acme = await newTenant()
    const { id } = await acme.submitted()
    const foreign = { ...message(acme, id, 1), v: 2, shape: randomUUID() }
    const sha256 = createHash('sha256').update(JSON.stringify(foreign)).digest('hex')
    await send('jobs', foreign)

    expect(await acme.ended(id)).toMatchObject({ status: 'succeeded' })

    await until('the message is seen', async () =>
      (await logs()).some((line) => line.includes('queue.foreign_version')),
    )
    await pause(500)
    expect(await inDirectory('select id from dead_letters where message_sha256 = ?', sha256)).toEqual([])
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
