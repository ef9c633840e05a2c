import { describe, expect, it } from 'vitest'
import { inLedger } from './support/control.ts'
import { events, eventsIn, feed, runJobs } from './support/feed.ts'
import { newReceiver, type WebhookEvent } from './support/receiver.ts'
import { expectStatus, newTenant, summarizeJob, type Tenant } from './support/tenant.ts'
import { until } from './support/wait.ts'

/** Follows the feed as a customer would, by the last ID, until it has this many events. */
async function follow(tenant: Tenant, count: number): Promise<string[]> {
  const ids: string[] = []
  await until(`${count} events`, async () => {
    const last = ids.at(-1)
    const page = await feed(tenant, `limit=7${last ? `&after=${last}` : ''}`)
    ids.push(...eventsIn(page).map(({ id }) => id))
    return ids.length >= count
  })
  return ids
}

describe('the feed of events', () => {
  it('tells exactly what webhooks told', async () => {
    const acme = await newTenant()
    const receiver = await newReceiver()
    await acme.listens(receiver)
    await acme.ended((await acme.submitted(summarizeJob({ metadata: { note: 'ñ "quoted"' } }))).id)
    const told = (await receiver.arrived(2)).map(({ text }) => text)

    const found = await events(acme)

    expect(found.map((event) => JSON.stringify(event)).sort()).toEqual(told.sort())
    expect(found.map(({ type }) => type)).toEqual(['job.accepted', 'job.result_available'])
  })

  it('needs no endpoint, and is oldest first, in pages', async () => {
    const acme = await newTenant()
    await runJobs(acme, 3)

    const first = await expectStatus(200, feed(acme, 'limit=4'))
    const second = await expectStatus(200, feed(acme, `limit=4&cursor=${first.body.next_cursor}`))

    const seen = [...eventsIn(first), ...eventsIn(second)]
    expect(seen.map(({ id }) => id)).toEqual((await events(acme)).map(({ id }) => id))
    expect(new Set(seen.map(({ id }) => id)).size).toBe(6)
    expect([first.body.has_more, second.body.has_more, second.body.next_cursor]).toEqual([true, false, null])
  })

  it('goes on after any event', async () => {
    const acme = await newTenant()
    await runJobs(acme, 2)
    const all = await events(acme)

    for (const [at, { id }] of all.entries())
      expect(await events(acme, `after=${id}`)).toEqual(all.slice(at + 1))
  })

  it('has no gaps and one order, however many write at once', async () => {
    const acme = await newTenant({ max_running: 10 })
    const submitting = Promise.all(Array.from({ length: 30 }, () => acme.submitted()))

    const followed = await follow(acme, 60)

    const submitted = await submitting
    const all = await events(acme)
    expect(followed).toEqual(all.map(({ id }) => id))
    for (const { id } of submitted)
      expect(all.filter(({ data }) => data.id === id).map(({ data }) => data.sequence)).toEqual([1, 2])
  })

  it('is narrowed to types', async () => {
    const acme = await newTenant()
    await runJobs(acme, 1)
    await acme.ended((await acme.submitted(summarizeJob({ model: 'test/content-filtered' }))).id)
    const typesOf = async (query: string) => (await events(acme, `types=${query}`)).map(({ type }) => type)

    expect(await typesOf('job.failed')).toEqual(['job.failed'])
    expect(await typesOf('job.failed,job.result_available')).toEqual(['job.result_available', 'job.failed'])
    expect(await typesOf('job.*')).toHaveLength(4)
    expect(await typesOf('*')).toHaveLength(4)
    expect(await typesOf('batch.*')).toEqual([])
  })

  it('goes on with the oldest there is after an event that has been dropped', async () => {
    const acme = await newTenant()
    await runJobs(acme, 2)
    const [first, second, third, fourth] = await events(acme)
    await inLedger(acme.id, 'delete from events where sequence <= 2')

    expect(await events(acme, `after=${first?.id}`)).toEqual([third, fourth])
    expect(await events(acme, `after=${second?.id}`)).toEqual([third, fourth])
  })

  it.each([
    ['types=job.exploded', 'types'],
    ['types=job.failed,', 'types'],
    ['types=', 'types'],
    ['after=nonsense', 'after'],
    ['after=evt_01jd0000000000000000000000zz', 'after'],
    ['limit=101', 'limit'],
    ['cursor=nonsense', 'cursor'],
    ['since=yesterday', 'since'],
  ])('is refused with ?%s', async (query, parameter) => {
    const acme = await newTenant()
    await acme.submitted()

    const { status, body } = await feed(acme, query)

    expect([status, body.errors.map((error) => error.parameter)]).toEqual([400, [parameter]])
  })

  it("shows nothing of another tenant's, and takes neither its IDs nor its cursors", async () => {
    const [acme, globex] = [await newTenant(), await newTenant()]
    await runJobs(acme, 1)
    const [{ id }] = (await events(acme)) as [WebhookEvent]
    const { next_cursor } = (await feed(acme, 'limit=1')).body

    expect(await events(globex)).toEqual([])
    await globex.submitted()
    for (const [query, parameter] of [
      [`after=${id}`, 'after'],
      [`cursor=${next_cursor}`, 'cursor'],
    ]) {
      const { status, body } = await feed(globex, query)
      expect([status, body.errors[0]?.parameter]).toEqual([400, parameter])
    }
    expect((await feed(acme, `types=job.*&cursor=${next_cursor}`)).status).toBe(400)
  })
})
