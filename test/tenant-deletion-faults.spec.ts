import { randomUUID } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import { claim, message, settle, withDeadConsumer } from './support/consumer.ts'
import { callLedger, evict, inDirectory, logs, putContent, send, tick } from './support/control.ts'
import { newReceiver } from './support/receiver.ts'
import { largeJob, succeeded } from './support/retention.ts'
import { expectStatus, newTenant, summarizeJob } from './support/tenant.ts'
import { leftOf, nothingLeft, removedTenant, removeTenant } from './support/tenant-deletions.ts'
import { pause, until } from './support/wait.ts'

const force = { force: true }

/** As the directory told it when it lived. */
const standing = (tenantId: string, more: object = {}) => ({
  tenantId,
  shard: 0,
  plan: {},
  revision: 99,
  status: 'active',
  restoreEpoch: 0,
  held: false,
  ...more,
})

describe('the deletion of a tenant', () => {
  it('is not brought to naught by an attempt that is out', async () => {
    const acme = await newTenant()
    const { id } = await acme.submitted(summarizeJob({ model: 'test/slow' }))
    await acme.reached(id, 'running')
    await expectStatus(202, removeTenant(acme.id, force))

    await until('the attempt has come back', async () =>
      (await logs()).some((line) => line.includes('job.attempted') && line.includes(id)),
    )
    await removedTenant(acme.id)

    const lines = (await logs()).filter((line) => line.includes(id))
    expect(lines.filter((line) => line.includes('"verdict":"unknown_job"'))).toHaveLength(1)
    expect(lines.filter((line) => /"event":"[a-z._]*failed"/.test(line))).toEqual([])
    expect(await leftOf(acme.id)).toEqual(nothingLeft)
  })

  it('goes on, whenever the ledger is evicted', async () => {
    const acme = await newTenant()
    await acme.listens(await newReceiver())
    await succeeded(acme, largeJob())
    await expectStatus(202, removeTenant(acme.id, force))

    for (let at = 0; at < 12; at++) {
      await pause(200)
      await evict(acme.id).catch(() => undefined)
    }

    await removedTenant(acme.id)
    expect(await leftOf(acme.id)).toEqual(nothingLeft)
  })

  it('is begun by the cron where the ledger was never told', async () => {
    const acme = await newTenant()
    await succeeded(acme, largeJob())
    await inDirectory(
      "update tenants set status = 'deleting', standing_revision = standing_revision + 1 where id = ?",
      acme.id,
    )

    await tick()

    await removedTenant(acme.id)
    expect((await leftOf(acme.id)).content).toEqual([])
  })

  it('is finished by the cron where the ledger is gone already, and takes along what was written behind it', async () => {
    const acme = await newTenant()
    await expectStatus(202, removeTenant(acme.id))
    await removedTenant(acme.id)
    await inDirectory(
      "insert into tenants (id, generation, status, plan, created_at) values (?, 1, 'deleting', '{}', 0)",
      acme.id,
    )
    await putContent(`t/${acme.id}/out/job_late/1`, 'of a consumer that was late')

    await tick()

    await removedTenant(acme.id)
    expect(await leftOf(acme.id)).toEqual(nothingLeft)
  })
})

describe('a ledger that has been deleted', () => {
  it('is brought back by nobody who is late', async () => {
    const { acme, id } = await withDeadConsumer()
    const endpoint = await acme.listens(await newReceiver())
    await expectStatus(202, removeTenant(acme.id, force))
    expect(await settle(acme, id, 1, 'too late')).toBe('unknown_job')
    await removedTenant(acme.id)

    const acting = { batchId: 'batch_late', instance: 1 }
    const late = await Promise.all([
      settle(acme, id, 1, 'far too late'),
      claim(acme, id, 2),
      callLedger(acme.id, 'heartbeat', [{ jobId: id, attempt: 1 }]),
      callLedger(acme.id, 'releaseJobs', [{ jobId: id, attempt: 1, model: 'test/slow', notBefore: 0 }]),
      callLedger(acme.id, 'lookAtBatch', acting),
      callLedger(acme.id, 'turnDeliveries', { endpointId: endpoint.id, attempts: [], slots: 4, underway: 0 }),
      callLedger(acme.id, 'poke'),
      callLedger(acme.id, 'provision', standing(acme.id)),
    ])
    await send('jobs', message(acme, id, 2))
    await send('jobs-dlq', message(acme, id, 2))
    await send('callbacks-dlq', { v: 1, tenant_id: acme.id, endpoint_id: endpoint.id })
    await send('batches-dlq', { v: 1, tenant_id: acme.id, batch_id: `batch_${randomUUID()}` })
    await pause(1500)

    expect(late.slice(0, 5)).toEqual(['unknown_job', undefined, [id], [null], { kind: 'over' }])
    expect(await leftOf(acme.id)).toEqual(nothingLeft)
  })

  it('is told once more of its end, and that changes nothing', async () => {
    const acme = await newTenant()
    await expectStatus(202, removeTenant(acme.id))
    await removedTenant(acme.id)

    await callLedger(acme.id, 'provision', standing(acme.id, { status: 'deleting' }))

    await until('it is empty again', async () => (await leftOf(acme.id)).ledger.length === 0, 10_000)
    expect(await leftOf(acme.id)).toEqual(nothingLeft)
  })
})
