import { randomUUID } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import { eventsOf, letStart, message, withDeadConsumer, withWaitingJob } from './support/consumer.ts'
import { contentOf, evict, inLedger, send } from './support/control.ts'
import { newReceiver } from './support/receiver.ts'
import {
  contentGone,
  contentRow,
  expireIn,
  gone,
  largeJob,
  nothing,
  objects,
  remove,
  resultOf,
  succeeded,
} from './support/retention.ts'
import { newClient, newTenant, summarizeJob } from './support/tenant.ts'
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

/** Jobs in the states that last. */
const running = async () => {
  const acme = await newTenant()
  const { id } = await acme.submitted(summarizeJob({ model: 'test/hangs' }))
  await acme.reached(id, 'running')
  return { acme, id }
}
const retrying = async () => {
  const waiting = await withDeadConsumer()
  await waiting.acme.reached(waiting.id, 'retrying')
  return waiting
}
const ended = (model: string) => async () => {
  const acme = await newTenant()
  return { acme, id: await succeeded(acme, summarizeJob({ model })) }
}
const cancelled = async () => {
  const waiting = await withWaitingJob()
  await waiting.acme.cancel(waiting.id)
  return waiting
}

describe('deleting a job', () => {
  it.each([
    ['accepted', 'cancelled', ['job.accepted', 'job.cancelled'], () => withWaitingJob()],
    ['running', 'cancelled', ['job.accepted', 'job.cancelled'], running],
    ['retrying', 'cancelled', ['job.accepted', 'job.cancelled'], retrying],
    ['succeeded', 'succeeded', ['job.accepted', 'job.result_available'], ended('embedded/extract-1')],
    ['failed', 'failed', ['job.accepted', 'job.failed'], ended('test/content-filtered')],
    ['cancelled', 'cancelled', ['job.accepted', 'job.cancelled'], cancelled],
  ])('that is %s leaves it %s and without content', async (_, status, events, state) => {
    const { acme, id } = await state()

    const answers = [await remove(acme, id), await remove(acme, id)]

    expect(answers.map((answer) => [answer.status, answer.body])).toEqual([
      [204, null],
      [204, null],
    ])
    expect(await acme.job(id)).toMatchObject({
      status,
      terminal: true,
      content_deleted_at: expect.stringMatching(/Z$/),
    })
    expect(await resultOf(acme, id)).toEqual(gone)
    expect(await contentRow(acme, id)).toEqual(nothing)
    expect(await eventsOf(acme, id)).toEqual(events)
  })

  it('has deleted its objects when it answers, and only those', async () => {
    const [acme, globex] = [await newTenant(), await newTenant()]
    const [id, other] = [await succeeded(acme, largeJob()), await succeeded(acme, largeJob())]
    await succeeded(globex, largeJob())
    const ofGlobex = await contentOf(globex.id)

    expect((await remove(acme, id)).status).toBe(204)

    expect(await contentOf(acme.id)).toHaveLength(2)
    expect(await acme.result(other)).toMatchObject({ id: other })
    expect(await contentOf(globex.id)).toEqual(ofGlobex)
    expect(ofGlobex).toHaveLength(2)
  })

  it('that waits lets it never run', async () => {
    const { acme, id } = await withWaitingJob()
    await remove(acme, id)
    await letStart(acme)

    await send('jobs', message(acme, id, 1))
    await succeeded(acme)

    expect(await acme.job(id)).toMatchObject({ status: 'cancelled', attempts: 0 })
  })

  it('still lets its request be replayed', async () => {
    const acme = await newTenant()
    const key = randomUUID()
    const first = await acme.submit(largeJob(), key)
    await acme.ended(first.body.id)
    await remove(acme, first.body.id)

    const replay = await acme.submit(largeJob(), key)

    expect([replay.status, replay.body]).toEqual([202, first.body])
    expect(replay.headers.get('Idempotency-Replayed')).toBe('true')
    expect(await contentOf(acme.id)).toEqual([])
  })

  it('is for those who may write jobs of this tenant', async () => {
    const [acme, globex] = [await newTenant(), await newTenant()]
    const id = await succeeded(acme)
    const reader = await newClient(acme.id, ['jobs:read'])

    const answers = [
      await remove(globex, id),
      await remove(acme, 'job_none'),
      await reader.delete(`/v1/jobs/${id}`),
    ]

    expect(answers.map(({ status }) => status)).toEqual([404, 404, 403])
    expect(await acme.result(id)).toMatchObject({ id })
  })
})
