import { describe, expect, it } from 'vitest'
import type { Answer } from './support/client.ts'
import { events, eventsIn, feed, runJobs } from './support/feed.ts'
import { expectStatus, newTenant, summarizeJob, type Tenant } from './support/tenant.ts'
import { pause, until } from './support/wait.ts'

const waiting = (tenant: Tenant, seconds: number, query = '') =>
  feed(tenant, query, { Prefer: `wait=${seconds}` })

describe('a request that prefers to wait', () => {
  it('is answered at once when there is something to tell', async () => {
    const acme = await newTenant()
    await acme.submitted()

    const sentAt = Date.now()
    const answer = await expectStatus(200, waiting(acme, 30))

    expect(Date.now() - sentAt).toBeLessThan(15_000)
    expect(eventsIn(answer)[0]?.type).toBe('job.accepted')
    expect(answer.headers.get('Preference-Applied')).toBe('wait=30')
  })

  it('is answered by the next event that it asks for', async () => {
    const acme = await newTenant()
    await runJobs(acme, 1)
    const last = (await events(acme)).at(-1)
    const sentAt = Date.now()
    const answered = waiting(acme, 30, `after=${last?.id}&types=job.cancelled`)
    await pause(500)

    // Nothing else of the tenant is held up meanwhile, and no other event answers it.
    await runJobs(acme, 1)
    const { id } = await acme.submitted(summarizeJob({ model: 'test/slow' }))
    await expectStatus(200, acme.cancel(id))
    const cancelledAt = Date.now()
    const answer = await answered

    expect(eventsIn(answer).map(({ type, data }) => [type, data.id])).toEqual([['job.cancelled', id]])
    expect([answer.body.has_more, answer.headers.get('Preference-Applied')]).toEqual([false, 'wait=30'])
    expect(cancelledAt - sentAt).toBeLessThan(30_000)
    expect(Date.now() - cancelledAt).toBeLessThan(5000)
  })

  it('is answered by an empty list after that long a silence, and costs one request', async () => {
    const acme = await newTenant()
    const left = ({ headers }: Answer) => Number(/r=(\d+)/.exec(headers.get('RateLimit') ?? '')?.[1])
    const before = await feed(acme)

    const sentAt = Date.now()
    const answer = await expectStatus(200, waiting(acme, 1))

    expect(Date.now() - sentAt).toBeGreaterThanOrEqual(950)
    expect(answer.body).toEqual({ data: [], has_more: false, next_cursor: null })
    expect(answer.headers.get('Preference-Applied')).toBe('wait=1')
    expect(left(answer)).toBe(left(before) - 1)
  })

  it('waits together with 19 others at most; one more is answered at once', async () => {
    const acme = await newTenant()
    const turnedAway: Answer[] = []
    const patient: Answer[] = []
    const all = Array.from({ length: 25 }, async () => {
      const answer = await expectStatus(200, waiting(acme, 30))
      ;(answer.headers.has('Preference-Applied') ? patient : turnedAway).push(answer)
    })

    await until('five are turned away', () => turnedAway.length === 5)
    expect(patient).toEqual([])
    await acme.submitted()
    await Promise.all(all)

    expect(turnedAway.map((answer) => eventsIn(answer))).toEqual([[], [], [], [], []])
    expect(patient).toHaveLength(20)
    for (const answer of patient) expect(eventsIn(answer)[0]?.type).toBe('job.accepted')
  })

  it.each(['wait=0', 'wait=31', 'wait=soon', 'respond-async'])(
    'is answered at once for %j, which asks for no wait that there is',
    async (prefer) => {
      const acme = await newTenant()

      const { status, headers, body } = await feed(acme, '', { Prefer: prefer })

      expect([status, body.data, headers.has('Preference-Applied')]).toEqual([200, [], false])
    },
  )
})
