import { describe, expect, it } from 'vitest'
import { batchOf, embedBatch, submittedBatch } from './support/batches.ts'
import { callLedger, evict, inLedger } from './support/control.ts'
import { deliveriesReached } from './support/deliveries.ts'
import { newReceiver } from './support/receiver.ts'
import { expectStatus, newTenant, operator, type Tenant } from './support/tenant.ts'
import { until } from './support/wait.ts'

async function suspend(tenant: Tenant) {
  await inLedger(tenant.id, "insert into meta values ('suspended', 'true')")
  await evict(tenant.id)
}

async function resume(tenant: Tenant) {
  await inLedger(tenant.id, "delete from meta where name = 'suspended'")
  await evict(tenant.id)
}

/** What a drain gets that asks now. */
const handedOut = async (tenant: Tenant, endpointId: string) => {
  const turn = { endpointId, attempts: [], slots: 4, underway: 0 }
  return (await callLedger<{ deliveries: unknown[] }>(tenant.id, 'turnDeliveries', turn)).deliveries
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
