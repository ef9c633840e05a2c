import { describe, expect, it } from 'vitest'
import { embedBatch, endedBatch, submittedBatch } from './support/batches.ts'
import type { Answer } from './support/client.ts'
import { feed } from './support/feed.ts'
import { unheard } from './support/gone-clients.ts'
import { expectStatus, newTenant, summarizeJob, type Tenant } from './support/tenant.ts'
import { pause, until } from './support/wait.ts'

const slow = summarizeJob({ model: 'test/slow' })
/** Waits for a limit until it is cancelled. */
const blocked = async () => {
  const acme = await newTenant({ max_running: 1 })
  await acme.submitted(summarizeJob({ model: 'test/hangs' }))
  return { acme, job: await acme.submitted() }
}

const waiting = (tenant: Tenant, id: string, seconds = 30, headers: Record<string, string> = {}) =>
  tenant.get(`/v1/jobs/${id}`, { Prefer: `wait=${seconds}`, ...headers })
const etag = ({ headers }: Answer) => headers.get('ETag') ?? ''
const applied = ({ headers }: Answer) => headers.get('Preference-Applied')
const left = ({ headers }: Answer) => Number(/r=(\d+)/.exec(headers.get('RateLimit') ?? '')?.[1])

describe('a request for a job that prefers to wait', () => {
  it('is answered when the job has ended, and at once when it had before', async () => {
    const acme = await newTenant()
    const { id } = await acme.submitted(slow)

    const first = await expectStatus(200, waiting(acme, id))
    const second = await expectStatus(200, waiting(acme, id))

    for (const answer of [first, second]) {
      expect(answer.body).toMatchObject({ id, status: 'succeeded', terminal: true })
      expect([applied(answer), answer.headers.has('Retry-After')]).toEqual(['wait=30', false])
    }
    expect(left(second)).toBe(left(first) - 1)
  })

  it('with If-None-Match is answered by any change, and by 304 when there was none', async () => {
    const { acme, job } = await blocked()
    await until('it waits for a limit', async () => {
      const { status_reason } = await acme.job(job.id)
      return status_reason === 'waiting_for_limit'
    })
    const seen = etag(await acme.get(`/v1/jobs/${job.id}`))

    const unchanged = await waiting(acme, job.id, 1, { 'If-None-Match': seen })
    const changed = waiting(acme, job.id, 30, { 'If-None-Match': seen })
    await pause(300)
    await expectStatus(200, acme.cancel(job.id))

    expect([unchanged.status, unchanged.body, applied(unchanged)]).toEqual([304, null, 'wait=1'])
    expect([etag(unchanged), unchanged.headers.get('Retry-After')]).toEqual([seen, '2'])
    expect((await expectStatus(200, changed)).body.status).toBe('cancelled')
  })

  it('with the tag of an earlier state is answered at once', async () => {
    const { acme, job } = await blocked()

    const answer = await waiting(acme, job.id, 30, { 'If-None-Match': 'W/"0-running"' })

    expect([answer.status, answer.body.status, applied(answer)]).toEqual([200, 'accepted', 'wait=30'])
  })

  it('shares its 20 places with the feed; one more is answered with the present state at once', async () => {
    const { acme, job } = await blocked()
    const { id: last } = (await feed(acme, 'limit=100')).body.data.at(-1) ?? { id: '' }
    const turnedAway: Answer[] = []
    const patient: Answer[] = []
    const all = Array.from({ length: 24 }, async (_, at) => {
      const answer = at % 2 ? waiting(acme, job.id) : feed(acme, `after=${last}`, { Prefer: 'wait=30' })
      ;(applied(await answer) ? patient : turnedAway).push(await answer)
    })

    await until('four are turned away', () => turnedAway.length === 4)
    await expectStatus(200, acme.cancel(job.id))
    await Promise.all(all)

    expect(patient).toHaveLength(20)
    for (const { status } of [...patient, ...turnedAway]) expect(status).toBe(200)
  })

  it('of another tenant is answered at once that there is no such job', async () => {
    const [acme, globex] = [await newTenant(), await newTenant()]
    const { id } = await acme.submitted(slow)
    const seen = etag(await acme.get(`/v1/jobs/${id}`))

    const answers = [await waiting(globex, id), await waiting(globex, id, 30, { 'If-None-Match': seen })]

    for (const { status, headers } of answers) expect([status, headers.has('ETag')]).toEqual([404, false])
  })

  it('leaves its place to others when its client has gone', async () => {
    const { acme, job } = await blocked()
    const clients = await Promise.all(
      Array.from({ length: 25 }, (_, at) =>
        unheard(acme, at % 2 ? `/v1/jobs/${job.id}` : '/v1/events?types=batch.failed', { Prefer: 'wait=30' }),
      ),
    )
    const answered = () => clients.filter(({ bytesRead }) => bytesRead > 0).length
    await until('five are turned away', () => answered() === 5)
    const turnedAway = await waiting(acme, job.id)

    for (const client of clients) client.resetAndDestroy()
    const waits = await until(
      'one more may wait',
      async () => applied(await waiting(acme, job.id, 1)),
      15_000,
    )

    expect([applied(turnedAway), waits]).toEqual([null, 'wait=1'])
  })
})

describe('a request for a batch that prefers to wait', () => {
  it('is answered by each change that the reader has not seen, and at last by the end', async () => {
    const acme = await newTenant()
    const { id } = await submittedBatch(acme, embedBatch(3))
    const path = `/v1/batches/${id}`
    const states: Answer[] = [await expectStatus(200, acme.get(path))]

    for (let state = states[0]; state && !state.body.terminal; state = states.at(-1)) {
      const headers = { Prefer: 'wait=30', 'If-None-Match': etag(state) }
      states.push(await expectStatus(200, acme.get(path, headers)))
    }
    const again = await acme.get(path, { Prefer: 'wait=30', 'If-None-Match': etag(states.at(-1) as Answer) })

    expect(states.at(-1)?.body.status).toBe('completed')
    expect(new Set(states.map(etag)).size).toBe(states.length)
    expect([again.status, applied(again)]).toEqual([304, 'wait=30'])
  })

  it('is answered by the end alone without a tag', async () => {
    const acme = await newTenant()
    const { id } = await submittedBatch(acme, embedBatch(1))

    const { body } = await expectStatus(200, acme.get(`/v1/batches/${id}`, { Prefer: 'wait=30' }))

    expect(body).toMatchObject({ id, terminal: true })
    expect(body).toEqual(await endedBatch(acme, id))
  })
})
