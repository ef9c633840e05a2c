import { describe, expect, it } from 'vitest'
import { withWaitingJob } from './support/consumer.ts'
import { callLedger, contentOf, inDirectory, inLedger, putContent, tick } from './support/control.ts'
import { newReceiver } from './support/receiver.ts'
import { newTenant, summarizeJob, TEXT, type Tenant } from './support/tenant.ts'
import { until } from './support/wait.ts'

const DAY_MS = 86_400_000
const HOUR_MS = 3_600_000

const rows = (acme: Tenant, table: string) =>
  inLedger<Record<string, unknown>>(acme.id, `select * from ${table}`)

/** The note of what is due, once the ledger has made it, is due now. */
const dueNow = async (acme: Tenant, note: 'housekeeping' | 'looseContent' | 'strayOutputs') => {
  await until(`there is a note of ${note}`, async () => {
    const [row] = await inLedger(acme.id, 'select value from meta where name = ?', note)
    return row
  })
  await inLedger(acme.id, "update meta set value = json_set(value, '$.at', 1) where name = ?", note)
  await callLedger(acme.id, 'poke')
}

const gone = (what: string, read: () => Promise<unknown[]>) =>
  until(`${what} are gone`, async () => (await read()).length === 0)

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

const ended = async (acme: Tenant, job: object = summarizeJob()) => {
  const { id } = await acme.submitted(job)
  await acme.ended(id)
  return id
}

const largeJob = {
  kind: 'embed',
  input: { texts: Array.from({ length: 200 }, (_, at) => `${TEXT} Number ${at}.`) },
  params: { dimensions: 256 },
}

describe('rows that have served their time', () => {
  it('go: jobs 104 days after they were made, unless their content is still on record', async () => {
    const acme = await newTenant()
    const [dropped, kept, young] = [await ended(acme), await ended(acme), await ended(acme)]
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
    await ended(acme)
    await receiver.arrived(2)
    await inLedger(acme.id, 'update events set created_at = ?', Date.now() - 31 * DAY_MS)

    await dueNow(acme, 'housekeeping')
    await until('one event is left', async () => (await rows(acme, 'events')).length === 1)
    await ended(acme)

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
    await ended(acme)
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
    const usage = "insert into usage_days values (20200101, 'summarize', 'm', 1, 0, 1, 0, 1, 1, 1)"
    await inLedger(acme.id, usage)

    await dueNow(acme, 'housekeeping')

    await until('one key is left', async () => (await rows(acme, 'idempotency_keys')).length === 1)
    expect((await rows(acme, 'idempotency_keys')).map(({ resource_id }) => resource_id)).toEqual([id])
    expect(await inLedger(acme.id, 'select * from usage_days where day = 20200101')).toHaveLength(1)
  })

  it('leave a ledger that has nothing to look after any more', async () => {
    const acme = await newTenant()
    const id = await ended(acme)
    await acme.client.delete(`/v1/jobs/${id}`)
    await aged(acme, id, 105)
    await inLedger(acme.id, 'update events set created_at = 1')
    await inLedger(acme.id, 'update idempotency_keys set created_at = 1')

    await dueNow(acme, 'housekeeping')

    await gone('the note', () => inLedger(acme.id, "select * from meta where name = 'housekeeping'"))
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
    await gone('old keys', () => inDirectory(find, old))
    expect(await inDirectory(find, young)).toHaveLength(1)
  })
})

describe('the janitor', () => {
  const hour = Math.floor(Date.now() / HOUR_MS)

  it('deletes input and files that no row names once their hour is over, and leaves what is used', async () => {
    const acme = await newTenant()
    const key = (folder: string, ago: number, name: string) => `t/${acme.id}/${folder}/${hour - ago}/${name}`
    const orphans = [key('in', 100, 'a'), key('in', 5, 'b'), key('file', 5, 'c')]
    const used = [key('in', 5, 'held'), key('file', 5, 'named')]
    const young = [key('in', 0, 'd'), key('file', 0, 'e')]
    const id = await ended(acme, largeJob)
    const ofJob = await contentOf(acme.id)
    for (const each of [...orphans, ...used, ...young]) await putContent(each, 'text')
    await inLedger(acme.id, 'insert into content_refs (ref, job_id) values (?, ?)', used[0] ?? '', id)
    await inLedger(
      acme.id,
      "insert into files (id, ref, content_type, bytes, sha256, created_by, created_at, expires_at, due_at) values ('file_a', ?, 'text/plain', 4, '', 'c', 1, ?, ?)",
      used[1] ?? '',
      Date.now() + DAY_MS,
      Date.now() + DAY_MS,
    )

    await dueNow(acme, 'looseContent')

    const expected = [...used, ...young, ...ofJob].sort()
    await until('orphans are gone', async () => (await contentOf(acme.id)).length === expected.length)
    expect(await contentOf(acme.id)).toEqual(expected)
    expect(await acme.result(id)).toMatchObject({ id })
  })

  it('looks again for what was stored since, and only there', async () => {
    const acme = await newTenant()
    await ended(acme, largeJob)
    const [first] = await inLedger<{ value: string }>(
      acme.id,
      "select value from meta where name = 'looseContent'",
    )
    const due = (JSON.parse(first?.value ?? '') as { at: number }).at
    expect(due).toBeGreaterThan(Date.now() + 2 * HOUR_MS)
    expect(due).toBeLessThanOrEqual(Date.now() + 3 * HOUR_MS)

    await putContent(`t/${acme.id}/in/${hour - 5}/a`, 'text')
    await dueNow(acme, 'looseContent')

    const again = await until('the look is over', async () => {
      const [note] = await inLedger<{ value: string }>(
        acme.id,
        "select value from meta where name = 'looseContent'",
      )
      const { at, after } = JSON.parse(note?.value ?? '') as { at: number; after: { in: string } }
      return at > 1 && { at, after }
    })
    expect(again).toMatchObject({ at: due, after: { in: `t/${acme.id}/in/${hour - 5}/a` } })
  })

  it('deletes outputs of attempts that did not settle after a day, and leaves results', async () => {
    const acme = await newTenant()
    const [old, recent] = [await ended(acme, largeJob), await ended(acme, largeJob)]
    await inLedger(acme.id, 'update jobs set last_attempt_at = ? where id = ?', Date.now() - 2 * DAY_MS, old)
    const before = await contentOf(acme.id)
    const kept = `t/${acme.id}/out/${recent}/2`
    for (const key of [`t/${acme.id}/out/${old}/2`, `t/${acme.id}/out/job_none/1`, kept])
      await putContent(key, '{}')

    await dueNow(acme, 'strayOutputs')

    await until('strays are gone', async () => (await contentOf(acme.id)).length === before.length + 1)
    expect(await contentOf(acme.id)).toEqual([...before, kept].sort())
    for (const id of [old, recent]) expect(await acme.result(id)).toMatchObject({ id })
  })
})
