/** A tenant's ledger is put back to a point in time, in a runtime that stands in for the platform's history. */
import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { inLedger } from '../bench/chaos/ledgers.ts'
import { type RestorableStack, startRestorableStack } from './restores/stack.ts'
import { batchOf, embedBatch, endedBatch, submitBatch } from './support/batches.ts'
import { deliveriesReached } from './support/deliveries.ts'
import { events, feed } from './support/feed.ts'
import { newReceiver } from './support/receiver.ts'
import { expectStatus, summarizeJob, type Tenant } from './support/tenant.ts'
import { pause, until } from './support/wait.ts'

let stack: RestorableStack
beforeAll(async () => {
  stack = await startRestorableStack()
})
afterAll(() => stack.stop())

const reason = 'a spec'

const restore = ({ id }: Tenant, to: string, key: string = randomUUID()) =>
  stack.operator.post(`/ops/v1/tenants/${id}/restore`, { to, reason }, { 'Idempotency-Key': key })
const release = ({ id }: Tenant) =>
  expectStatus(200, stack.operator.post(`/ops/v1/tenants/${id}/release`, { reason }))

const batch = async (tenant: Tenant, body: object) =>
  (await expectStatus(202, submitBatch(tenant, body))).body

const inDirectory = async <T>(sql: string, ...values: unknown[]): Promise<T[]> => {
  const directory = await stack.workerd.miniflare.getD1Database('DIRECTORY', 'gateway')
  return (
    await directory
      .prepare(sql)
      .bind(...values)
      .all<T>()
  ).results
}

const lettersOf = ({ id }: Tenant) =>
  inDirectory<{ job_id: string }>('select job_id from dead_letters where tenant_id = ?', id)

/** One job that has ended, one that runs, one that waits; and what a receiver has heard of them. */
async function atWork() {
  const acme = await stack.newTenant({ max_running: 1, test_models: true })
  const receiver = await newReceiver()
  await acme.listens(receiver)
  const ended = (await acme.submitted()).id
  await acme.ended(ended)
  const running = (await acme.submitted(summarizeJob({ model: 'test/slow' }))).id
  await acme.reached(running, 'running')
  const waiting = (await acme.submitted()).id
  await deliveriesReached(acme, 'delivered', 4)
  return { acme, receiver, ended, running, waiting }
}

describe('a ledger that is put back to a point in time', { timeout: 120_000 }, () => {
  it('holds what is unfinished again, forgets what came after, and does nothing under an old name', async () => {
    const { acme, receiver, ended, running, waiting } = await atWork()
    const point = await stack.keepPoint(acme)
    await Promise.all([acme.ended(running), acme.ended(waiting)])
    const key = randomUUID()
    const forgotten = (await acme.submit(summarizeJob(), key)).body.id
    await acme.ended(forgotten)
    const failed = (await acme.submitted(summarizeJob({ model: 'test/permission-denied' }))).id
    await acme.ended(failed)
    await until('there is a dead letter', async () => (await lettersOf(acme)).length === 1)
    const before = (await receiver.arrived(10)).map(({ event }) => event)
    const last = (await events(acme)).at(-1)

    const { body } = await expectStatus(200, restore(acme, point))

    expect(body).toMatchObject({ held: true, restore_epoch: 1, to: point, dead_letters_dropped: 1 })
    expect(await lettersOf(acme)).toEqual([])
    expect(await acme.job(ended)).toMatchObject({ status: 'succeeded' })
    expect((await acme.get(`/v1/jobs/${forgotten}`)).status).toBe(404)
    expect((await acme.get(`/v1/jobs/${failed}`)).status).toBe(404)
    const refused = await acme.submit()
    expect([refused.status, refused.headers.get('Retry-After')]).toEqual([503, '60'])
    await pause(3000)
    expect(await acme.job(waiting)).toMatchObject({ status: 'accepted', attempts: 0 })
    expect(await acme.job(running)).toMatchObject({ status: 'retrying', attempts: 1 })
    expect(receiver.received).toHaveLength(before.length)
    expect((await expectStatus(200, feed(acme, `after=${last?.id}`))).body.data).toEqual([])

    await release(acme)
    const again = (await acme.submit(summarizeJob(), key)).body.id
    const jobs = await Promise.all([waiting, running, again].map((id) => acme.ended(id)))

    expect(again).not.toBe(forgotten)
    expect(jobs.map(({ status, attempts }) => [status, attempts])).toEqual([
      ['succeeded', 1],
      ['succeeded', 2],
      ['succeeded', 1],
    ])
    expect(jobs[0]).toMatchObject({ provider_request_id: `embedded-${waiting}-r1-0` })
    const told = (await receiver.arrived(before.length + 4)).slice(before.length).map(({ event }) => event)
    expect(new Set([...before, ...told].map(({ id }) => id)).size).toBe(before.length + told.length)
    const since = await events(acme, `after=${last?.id}`)
    expect(since.map(({ id }) => id).sort()).toEqual(told.map(({ id }) => id).sort())
    const numbers = await inLedger<{ sequence: number }>(
      stack.workerd,
      acme.id,
      'select sequence from events order by sequence desc limit 4',
    )
    expect(numbers.every(({ sequence }) => sequence > 2 ** 32)).toBe(true)
  })

  it('takes batches up where they were', async () => {
    const acme = await stack.newTenant({ test_models: true })
    const { id } = await batch(acme, embedBatch(2, { model: 'test/slow' }))
    await until(
      'it is at its provider',
      async () => (await batchOf(acme, id)).status_reason === 'waiting_for_provider',
    )
    const point = await stack.keepPoint(acme)
    await endedBatch(acme, id)
    const later = (await batch(acme, embedBatch(1))).id

    await expectStatus(200, restore(acme, point))
    expect(await batchOf(acme, id)).toMatchObject({ status: 'processing' })
    expect((await acme.get(`/v1/batches/${later}`)).status).toBe(404)
    await release(acme)

    expect(await endedBatch(acme, id)).toMatchObject({ status: 'completed', counts: { succeeded: 2 } })
  })

  it('may be put back once more before it goes on, and once for each key', async () => {
    const acme = await stack.newTenant({})
    const first = await stack.keepPoint(acme)
    const id = (await acme.submitted()).id
    await acme.ended(id)
    const second = await stack.keepPoint(acme)
    const key = randomUUID()

    const answers = [await restore(acme, first, key), await restore(acme, first, key)]
    expect((await acme.get(`/v1/jobs/${id}`)).status).toBe(404)
    const { body } = await expectStatus(200, restore(acme, second))

    expect(answers.map(({ status }) => status)).toEqual([200, 200])
    expect(answers[1]?.headers.get('Idempotency-Replayed')).toBe('true')
    expect(body).toMatchObject({ restore_epoch: 2, held: true })
    expect(await acme.job(id)).toMatchObject({ status: 'succeeded' })
    expect((await stack.operator.get(`/ops/v1/tenants/${acme.id}`)).body).toMatchObject({ held: true })
    const lines = await inDirectory('select action from audit_log where target = ? order by id', acme.id)
    expect(lines).toEqual(['tenant.create', 'tenant.restore', 'tenant.restore'].map((action) => ({ action })))
  })
})
