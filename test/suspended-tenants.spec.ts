import { randomUUID } from 'node:crypto'
import { describe, expect, inject, it } from 'vitest'
import { createClient } from './support/api-clients.ts'
import { batchOf, embedBatch, submittedBatch } from './support/batches.ts'
import { Client, fetchToken } from './support/client.ts'
import { claim, withWaitingJob } from './support/consumer.ts'
import { callLedger, inDirectory, inLedger } from './support/control.ts'
import { deliveriesReached } from './support/deliveries.ts'
import { newReceiver } from './support/receiver.ts'
import { resume, suspend } from './support/suspensions.ts'
import { expectStatus, newTenant, operator, summarizeJob, type Tenant } from './support/tenant.ts'
import { until } from './support/wait.ts'

/** What a drain gets that asks now. */
const handedOut = async (tenant: Tenant, endpointId: string) => {
  const turn = { endpointId, attempts: [], slots: 4, underway: 0 }
  return (await callLedger<{ deliveries: unknown[] }>(tenant.id, 'turnDeliveries', turn)).deliveries
}

const statuses = ({ id }: Tenant) =>
  inLedger<{ id: string; status: string }>(id, 'select id, status from jobs order by id')

const readingToken = async () => {
  const { clientId, clientSecret } = inject('stack').operator
  return fetchToken(clientId, clientSecret, 'ops:read')
}

describe('a tenant that is suspended', () => {
  it('is refused, and gets its webhooks once it is not', async () => {
    const acme = await newTenant()
    let well = false
    const receiver = await newReceiver(() => (well ? 204 : 500))
    const { id } = await acme.listens(receiver, ['job.accepted'])
    await acme.submitted()
    await until('a failed attempt is on record', async () =>
      (await inLedger<{ tries: number }>(acme.id, 'select tries from deliveries')).some(
        ({ tries }) => tries > 0,
      ),
    )

    await suspend(acme)
    await inLedger(acme.id, 'update deliveries set due_at = 1')

    expect((await acme.submit()).status).toBe(403)
    expect(await handedOut(acme, id)).toEqual([])
    well = true
    await resume(acme)
    await deliveriesReached(acme, 'delivered', 1)
  })

  it('lets a running job finish, starts no other, and tells of both once it goes on', async () => {
    const acme = await newTenant({ max_running: 1 })
    const receiver = await newReceiver()
    await acme.listens(receiver, ['job.result_available'])
    const running = await acme.submitted(summarizeJob({ model: 'test/slow' }))
    await acme.reached(running.id, 'running')
    const waiting = await acme.submitted()

    await suspend(acme)
    await until('the running job has ended', async () =>
      (await statuses(acme)).some(({ status }) => status === 'succeeded'),
    )

    const held = await claim(acme, waiting.id, 1)
    expect(held).toMatchObject({ notHeld: 'not_allowed' })
    expect(await statuses(acme)).toEqual([
      { id: running.id, status: 'succeeded' },
      { id: waiting.id, status: 'accepted' },
    ])
    expect(receiver.received).toEqual([])
    await resume(acme)
    expect(await acme.ended(waiting.id, 5000)).toMatchObject({ status: 'succeeded' })
    await receiver.arrived(2)
  })

  it('has deadlines that go on', async () => {
    const { acme, id } = await withWaitingJob(summarizeJob({ deadline_seconds: 5 }))
    await suspend(acme)

    await until('the job has failed', async () =>
      (await statuses(acme)).some((job) => job.id === id && job.status === 'failed'),
    )
    await resume(acme)
    expect(await acme.job(id)).toMatchObject({ error: { class: 'deadline_exceeded' } })
  })

  it('still gets tokens, and is told by its requests', async () => {
    const acme = await newTenant()
    const { client_id, client_secret } = await createClient(acme)
    await suspend(acme)

    await fetchToken(client_id, client_secret)
    const { status, body } = await acme.get('/v1/jobs')

    expect([status, body.type]).toEqual([403, expect.stringMatching(/tenant-suspended$/)])
  })

  it('has batches that operators can still end', async () => {
    const acme = await newTenant()
    const { id } = await submittedBatch(acme, embedBatch(2, { model: 'test/batch-stuck' }))
    await suspend(acme)

    const ops = await operator()
    const { body } = await expectStatus(
      200,
      ops.post(`/ops/v1/batches/${id}/cancel`, { reason: 'its tenant is suspended' }),
    )

    expect(body).toMatchObject({ status: 'cancelled', counts: { cancelled: 2 } })
    await resume(acme)
    expect(await batchOf(acme, id)).toMatchObject({ status: 'cancelled' })
  })
})

describe('an operator', () => {
  it('suspends and resumes, twice over if need be, and each time leaves a line', async () => {
    const acme = await newTenant()

    const told = [await suspend(acme), await suspend(acme), await resume(acme), await resume(acme)]

    expect(told.map(({ status }) => status)).toEqual(['suspended', 'suspended', 'active', 'active'])
    const { body } = await (await operator()).get(`/ops/v1/tenants/${acme.id}`)
    expect(body).toEqual(told.at(-1))
    const lines = await inDirectory<{ action: string }>(
      'select action from audit_log where target = ? order by id',
      acme.id,
    )
    expect(lines.map(({ action }) => action)).toEqual([
      'tenant.create',
      'tenant.suspend',
      'tenant.suspend',
      'tenant.resume',
      'tenant.resume',
    ])
  })

  it('and another who says the opposite leave directory and ledger of one mind', async () => {
    const acme = await newTenant()
    const ops = await operator()
    const act = (verb: string) => ops.post(`/ops/v1/tenants/${acme.id}/${verb}`, { reason: 'a spec' })

    for (let round = 0; round < 5; round++) {
      await Promise.all([act('suspend'), act('resume'), act('suspend'), act('resume')])
      const { body } = await ops.get(`/ops/v1/tenants/${acme.id}`)
      expect((await acme.get('/v1/jobs')).status).toBe(body.status === 'active' ? 200 : 403)
    }
  })

  it('must say why, must be allowed to, and must name a tenant that there is', async () => {
    const acme = await newTenant()
    const ops = await operator()
    const path = `/ops/v1/tenants/${acme.id}/suspend`
    const reason = 'a spec'

    const without = await ops.post(path, {})
    const more = await ops.post(path, { reason, until: 'tomorrow' })
    const unknown = await ops.post(`/ops/v1/tenants/t-${randomUUID()}/suspend`, { reason })
    const own = await acme.client.post(path, { reason })
    const reader = new Client(await readingToken())
    const { status, body } = await reader.post(path, { reason })

    expect([without.status, without.body.errors[0]?.pointer]).toEqual([400, '/reason'])
    expect([more.status, more.body.errors[0]?.pointer]).toEqual([400, '/until'])
    expect([unknown.status, own.status]).toEqual([404, 401])
    expect([status, body.type]).toEqual([403, expect.stringMatching(/insufficient-scope$/)])
    expect((await acme.get('/v1/jobs')).status).toBe(200)
  })

  it('cannot bring back a tenant that is being deleted', async () => {
    const acme = await newTenant()
    await inDirectory("update tenants set status = 'deleting' where id = ?", acme.id)
    const ops = await operator()
    const path = `/ops/v1/tenants/${acme.id}`

    const answers = [
      await ops.post(`${path}/resume`, { reason: 'a spec' }),
      await ops.post(`${path}/suspend`, { reason: 'a spec' }),
      await ops.patch(path, { limits: {}, reason: 'a spec' }),
    ]

    expect(answers.map(({ status }) => status)).toEqual([400, 400, 400])
    expect((await ops.get(path)).body).toMatchObject({ status: 'deleting' })
  })
})
