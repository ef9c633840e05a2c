import { describe, expect, it } from 'vitest'
import { WaitTimeoutError } from './errors.ts'
import { job, json, problem, scripted } from './gateway.fixture.ts'

const held = { 'Preference-Applied': 'wait=25' }
const running = (headers: Record<string, string> = {}) => json(200, job({ status: 'running' }), headers)
const ended = json(200, job({ status: 'succeeded', terminal: true }), held)
const unchanged =
  (headers: Record<string, string> = {}) =>
  () =>
    new Response(null, { status: 304, headers })

describe('waiting for a job', () => {
  it('asks again at once after an answer that was held back', async () => {
    const { gateway, sent, pauses } = scripted([running(held), ended])

    expect(await gateway.jobs.wait('job_1')).toMatchObject({ status: 'succeeded' })

    expect(sent.map(({ headers }) => headers.get('Prefer'))).toEqual(['wait=25', 'wait=25'])
    expect(pauses).toEqual([0])
  })

  it('waits as Retry-After says after one that was not, or a second', async () => {
    const { gateway, pauses } = scripted([running({ 'Retry-After': '3' }), running(), ended])

    await gateway.jobs.wait('job_1')

    expect(pauses).toEqual([3000, 1000])
  })

  it('tells each change, and asks for nothing that has not changed', async () => {
    const answers = [
      json(200, job(), { ETag: 'W/"1"' }),
      unchanged(held),
      json(200, job({ status: 'running' }), { ETag: 'W/"2"', ...held }),
      ended,
    ]
    const { gateway, sent, pauses } = scripted(answers)
    const told: string[] = []

    await gateway.jobs.wait('job_1', { onChange: ({ status }) => told.push(status) })

    expect(told).toEqual(['accepted', 'running', 'succeeded'])
    expect(sent.map(({ headers }) => headers.get('If-None-Match'))).toEqual([null, 'W/"1"', 'W/"1"', 'W/"2"'])
    expect(sent.map(({ headers }) => headers.get('Prefer'))).toEqual([null, 'wait=25', 'wait=25', 'wait=25'])
    expect(pauses).toEqual([0, 0, 0])
  })

  it('looks now and then where changes cannot be waited for', async () => {
    const { gateway, pauses } = scripted([running(), running({ 'Retry-After': '2' }), ended])

    await gateway.jobs.wait('job_1', { onChange: () => undefined })

    expect(pauses).toEqual([1000, 2000])
  })

  it('ends when its time is up, with what was last known', async () => {
    const { gateway, sent, clock } = scripted([
      () => {
        clock.now += 25_000
        return running(held)()
      },
      running({ 'Retry-After': '60' }),
    ])

    const error = await gateway.jobs.wait('job_1', { timeoutMs: 30_000 }).catch((thrown: unknown) => thrown)

    expect(error).toBeInstanceOf(WaitTimeoutError)
    expect(error).toMatchObject({
      message: 'Not ended within 30000 ms. job_1 is running.',
      last: { status: 'running' },
    })
    expect(sent.map(({ headers }) => headers.get('Prefer'))).toEqual(['wait=25', 'wait=5'])
  })

  it('ends with the signal', async () => {
    const controller = new AbortController()
    const { gateway } = scripted([
      () => {
        controller.abort(new Error('enough'))
        return running()()
      },
    ])

    await expect(gateway.jobs.wait('job_1', { signal: controller.signal })).rejects.toThrow('enough')
  })

  it('ends with the problem of a job that is not there', async () => {
    const { gateway } = scripted([problem(404, 'not-found')])

    await expect(gateway.jobs.wait('job_1')).rejects.toMatchObject({ slug: 'not-found' })
  })

  it('goes on through answers that are lost', async () => {
    const { gateway } = scripted([
      problem(503, 'unavailable'),
      running(held),
      problem(429, 'rate-limited'),
      ended,
    ])

    expect(await gateway.jobs.wait({ id: 'job_1' })).toMatchObject({ status: 'succeeded' })
  })
})
