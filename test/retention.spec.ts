import { describe, expect, it } from 'vitest'
import { contentOf, evict, inLedger } from './support/control.ts'
import { newReceiver } from './support/receiver.ts'
import {
  contentGone,
  contentRow,
  expireIn,
  gone,
  largeJob,
  nothing,
  objects,
  resultOf,
  succeeded,
} from './support/retention.ts'
import { newTenant, summarizeJob } from './support/tenant.ts'
import { until } from './support/wait.ts'

describe('content whose time is up', () => {
  it.each([
    ['in the row', summarizeJob({ params: { max_words: 20 } })],
    ['in R2', largeJob()],
  ])('is deleted, %s, and the job stays', async (_, request) => {
    const acme = await newTenant()
    const id = await succeeded(acme, request)
    const before = await acme.job(id)

    await expireIn(acme, id, 0)
    const job = await contentGone(acme, id)

    expect(await resultOf(acme, id)).toEqual(gone)
    expect(await contentRow(acme, id)).toEqual(nothing)
    await objects(acme, [])
    expect(await inLedger(acme.id, 'select * from content_refs')).toEqual([])
    expect(job).toMatchObject({ status: 'succeeded', usage: before.usage, finished_at: before.finished_at })
  })

  it('is deleted exactly then, even if the ledger was evicted and nobody calls', async () => {
    const acme = await newTenant()
    const id = await succeeded(acme)
    await inLedger(acme.id, 'update jobs set content_expires_at = ? where id = ?', Date.now() + 3000, id)
    await acme.submitted(summarizeJob({ model: 'test/hangs' }))
    await evict(acme.id)

    const late = await until('the content is deleted', async () => {
      const rows = await inLedger<{ late: number | null }>(
        acme.id,
        'select content_deleted_at - content_expires_at as late from jobs where id = ?',
        id,
      )
      return rows[0]?.late ?? undefined
    })

    expect(late).toBeGreaterThanOrEqual(0)
    expect(late).toBeLessThan(10_000)
  })

  it('cannot be read any more, cleared away or not', async () => {
    const acme = await newTenant()
    const id = await succeeded(acme)
    await inLedger(acme.id, 'update jobs set content_expires_at = ? where id = ?', Date.now() - 1, id)

    expect(await resultOf(acme, id)).toEqual(gone)
  })

  it('is up at the end with a retention of 0', async () => {
    const acme = await newTenant()
    const receiver = await newReceiver()
    await acme.listens(receiver, ['job.result_available'])
    const { id } = await acme.submitted(largeJob({ retention_seconds: 0 }))

    const job = await contentGone(acme, id)

    expect(job).toMatchObject({ status: 'succeeded', content_expires_at: job.finished_at })
    expect(await resultOf(acme, id)).toEqual(gone)
    await objects(acme, [])
    await receiver.event('job.result_available')
  })

  it('takes nothing along that another job or another tenant needs', async () => {
    const [acme, globex] = [await newTenant(), await newTenant()]
    const [one, other] = [await succeeded(acme, largeJob()), await succeeded(acme, largeJob())]
    await succeeded(globex, largeJob())
    const [row] = await inLedger<{ input_ref: string }>(
      acme.id,
      'select input_ref from jobs where id = ?',
      one,
    )
    const shared = row?.input_ref ?? ''
    await inLedger(acme.id, 'insert into content_refs (ref, job_id) values (?, ?)', shared, other)
    const before = await contentOf(acme.id)
    const ofGlobex = await contentOf(globex.id)

    await expireIn(acme, one, 0)
    await contentGone(acme, one)
    await objects(
      acme,
      before.filter((key) => !key.includes(one)),
    )

    expect(before).toContain(shared)
    expect(await acme.result(other)).toMatchObject({ id: other })
    expect(await contentOf(globex.id)).toEqual(ofGlobex)
  })
})
