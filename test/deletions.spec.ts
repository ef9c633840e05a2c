import { randomUUID } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import { eventsOf, letStart, message, withDeadConsumer, withWaitingJob } from './support/consumer.ts'
import { contentOf, send } from './support/control.ts'
import { contentRow, gone, largeJob, nothing, remove, resultOf, succeeded } from './support/retention.ts'
import { newClient, newTenant, summarizeJob } from './support/tenant.ts'

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
