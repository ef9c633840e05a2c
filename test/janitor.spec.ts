import { describe, expect, it } from 'vitest'
import { contentOf, inLedger, putContent } from './support/control.ts'
import { DAY_MS, dueNow, HOUR_MS } from './support/housekeeping.ts'
import { largeJob, succeeded } from './support/retention.ts'
import { newTenant } from './support/tenant.ts'
import { until } from './support/wait.ts'

describe('the janitor', () => {
  const hour = Math.floor(Date.now() / HOUR_MS)

  it('deletes input and files that no row names once their hour is over, and leaves what is used', async () => {
    const acme = await newTenant()
    const key = (folder: string, ago: number, name: string) => `t/${acme.id}/${folder}/${hour - ago}/${name}`
    const orphans = [key('in', 100, 'a'), key('in', 5, 'b'), key('file', 5, 'c')]
    const used = [key('in', 5, 'held'), key('file', 5, 'named')]
    const young = [key('in', 0, 'd'), key('file', 0, 'e')]
    const id = await succeeded(acme, largeJob())
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
    await succeeded(acme, largeJob())
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
    const [old, recent] = [await succeeded(acme, largeJob()), await succeeded(acme, largeJob())]
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
