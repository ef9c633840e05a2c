import { describe, expect, it } from 'vitest'
import { withWaitingJob } from './support/consumer.ts'
import { inDirectory, inLedger, tick } from './support/control.ts'
import { DAY_MS, dueNow, HOUR_MS, untilGone } from './support/housekeeping.ts'
import { newReceiver } from './support/receiver.ts'
import { succeeded } from './support/retention.ts'
import { newTenant, type Tenant } from './support/tenant.ts'
import { until } from './support/wait.ts'

const rows = (acme: Tenant, table: string) =>
  inLedger<Record<string, unknown>>(acme.id, `select * from ${table}`)

/** The job as if it had been made so many days ago. */
const aged = async (acme: Tenant, id: string, days: number) => {
  const head = 'job_'.length
  const time = Array.from(
    { length: 10 },
    (_, at) => Math.floor((Date.now() - days * DAY_MS) / 32 ** (9 - at)) % 32,
  )
  const old =
    id.slice(0, head) +
    time.map((digit) => '0123456789abcdefghjkmnpqrstvwxyz'[digit]).join('') +
    id.slice(head + 10)
  await inLedger(acme.id, 'update jobs set id = ? where id = ?', old, id)
  return old
}

describe('rows that have served their time', () => {
  it('go: jobs 104 days after they were made, unless their content is still on record', async () => {
    const acme = await newTenant()
    const [dropped, kept, young] = [await succeeded(acme), await succeeded(acme), await succeeded(acme)]
    await inLedger(acme.id, 'update jobs set content_deleted_at = 1 where id in (?, ?)', dropped, young)
    await aged(acme, dropped, 105)
    const old = await aged(acme, kept, 105)
    await aged(acme, young, 103)

    await dueNow(acme, 'housekeeping')

    await until('one job is gone', async () => (await rows(acme, 'jobs')).length === 2)
    const left = (await rows(acme, 'jobs')).map(({ content_deleted_at }) => content_deleted_at)
    expect(left.sort()).toEqual([1, null])
    expect((await acme.get(`/v1/jobs/${old}`)).status).toBe(200)
  })

  it('go: events after 30 days with their deliveries, but never the newest, whose number seeds the next', async () => {
    const acme = await newTenant()
    const receiver = await newReceiver()
    await acme.listens(receiver)
    await succeeded(acme)
    await receiver.arrived(2)
    await inLedger(acme.id, 'update events set created_at = ?', Date.now() - 31 * DAY_MS)

    await dueNow(acme, 'housekeeping')
    await until('one event is left', async () => (await rows(acme, 'events')).length === 1)
    await succeeded(acme)

    expect((await rows(acme, 'events')).map(({ sequence }) => sequence)).toEqual([2, 3, 4])
    expect((await rows(acme, 'deliveries')).map(({ event_sequence }) => event_sequence)).toEqual([2, 3, 4])
    expect((await receiver.arrived(4)).map(({ event }) => event.type)).toEqual([
      'job.accepted',
      'job.result_available',
      'job.accepted',
      'job.result_available',
    ])
  })

  it('stay while they are young', async () => {
    const acme = await newTenant()
    await succeeded(acme)
    await inLedger(acme.id, 'update events set created_at = ?', Date.now() - 29 * DAY_MS)
    await inLedger(acme.id, 'update idempotency_keys set created_at = ?', Date.now() - DAY_MS + HOUR_MS)

    await dueNow(acme, 'housekeeping')
    await until('the round is over', async () => {
      const [note] = await inLedger<{ at: number }>(
        acme.id,
        "select json_extract(value, '$.at') as at from meta where name = 'housekeeping'",
      )
      return (note?.at ?? 0) > Date.now() + HOUR_MS
    })

    expect([
      (await rows(acme, 'jobs')).length,
      (await rows(acme, 'events')).length,
      (await rows(acme, 'idempotency_keys')).length,
    ]).toEqual([1, 2, 1])
  })

  it('go: keys after a day, all of them in steps, but not that of a job that has not ended; usage stays', async () => {
    const { acme, id } = await withWaitingJob()
    const many =
      "with recursive n(i) as (select 1 union all select i + 1 from n where i < 1300) insert into idempotency_keys select 'key-' || i, 'f', 'job_none', null, 1 from n"
    await inLedger(acme.id, many)
    await inLedger(acme.id, 'update idempotency_keys set created_at = ?', Date.now() - DAY_MS - HOUR_MS)
    const usage = "insert into usage_days values (20200101, 'summarize', 'm', 1, 0, 1, 0, 1, 1, 1, 1, '{}')"
    await inLedger(acme.id, usage)

    await dueNow(acme, 'housekeeping')

    await until('one key is left', async () => (await rows(acme, 'idempotency_keys')).length === 1)
    expect((await rows(acme, 'idempotency_keys')).map(({ resource_id }) => resource_id)).toEqual([id])
    expect(await inLedger(acme.id, 'select * from usage_days where day = 20200101')).toHaveLength(1)
  })

  it('leave a ledger that has nothing to look after any more', async () => {
    const acme = await newTenant()
    const id = await succeeded(acme)
    await acme.client.delete(`/v1/jobs/${id}`)
    await aged(acme, id, 105)
    await inLedger(acme.id, 'update events set created_at = 1')
    await inLedger(acme.id, 'update idempotency_keys set created_at = 1')

    await dueNow(acme, 'housekeeping')

    await untilGone('the note', () => inLedger(acme.id, "select * from meta where name = 'housekeeping'"))
    expect([await rows(acme, 'jobs'), await rows(acme, 'idempotency_keys')]).toEqual([[], []])
  })

  it("go in the directory too: operators' keys after a day", async () => {
    const [old, young] = [`old-${Date.now()}`, `young-${Date.now()}`]
    const insert =
      "insert into operator_keys (key_hash, fingerprint, response, created_at) values (?, 'f', '{}', ?)"
    await inDirectory(insert, old, Date.now() - DAY_MS - HOUR_MS)
    await inDirectory(insert, young, Date.now() - DAY_MS + HOUR_MS)

    await tick()

    const find = 'select key_hash from operator_keys where key_hash = ?'
    await untilGone('old keys', () => inDirectory(find, old))
    expect(await inDirectory(find, young)).toHaveLength(1)
  })
})
