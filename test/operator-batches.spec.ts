import type { z } from '@hono/zod-openapi'
import { describe, expect, inject, it } from 'vitest'
import type { OperatorBatchDetail, OperatorBatchPage } from '../openapi/operator-batches.ts'
import { batchOf, embedBatch, endedBatch, resultsOf, submittedBatch } from './support/batches.ts'
import { audited } from './support/dead-letters.ts'
import { newReceiver } from './support/receiver.ts'
import { expectStatus, newTenant, operator, type Tenant } from './support/tenant.ts'
import { until } from './support/wait.ts'

const { clientId } = inject('stack').operator
const REASON = 'the provider has been asked'

const stuck = embedBatch(1, { model: 'test/batch-stuck' })

const stalledIn = async (tenant: Tenant) => {
  const ops = await operator()
  const { body } = await expectStatus(200, ops.get(`/ops/v1/batches?stalled=true&tenant_id=${tenant.id}`))
  return (body as unknown as z.infer<typeof OperatorBatchPage>).data
}

/** A batch whose provider does not answer, once operators can see that. */
async function stalledBatch(count = 3) {
  const acme = await newTenant()
  const { id } = await submittedBatch(acme, embedBatch(count, { model: 'test/batch-stuck' }))
  await until(`batch ${id} stalls`, async () => (await stalledIn(acme)).some((batch) => batch.id === id))
  return { acme, id }
}

const read = async (id: string, query = '') => {
  const { body } = await expectStatus(200, (await operator()).get(`/ops/v1/batches/${id}${query}`))
  return body as unknown as OperatorBatchDetail
}

const decide = async (id: string, verb: string, headers: Record<string, string> = {}) =>
  (await operator()).post(`/ops/v1/batches/${id}/${verb}`, { reason: REASON }, headers)

describe.concurrent('a batch that has stalled', () => {
  it('is in the list of operators, with what is known of it and never its content', async () => {
    const { acme, id } = await stalledBatch()

    const [batch] = await stalledIn(acme)
    const detail = await read(id)

    expect(batch).toMatchObject({ id, tenant_id: acme.id, status: 'processing', stalled_chunks: 1 })
    expect(detail).toMatchObject({
      id,
      tenant_id: acme.id,
      status_reason: 'stalled',
      dead_letter: null,
      chunks: [{ index: 0, state: 'submitted', path: 'batch', item_count: 3, tries: 1 }],
    })
    expect(JSON.stringify(detail)).not.toMatch(/item-0|human beings/)
    expect(await read(id, `?tenant_id=${acme.id}`)).toMatchObject({ id })
  })

  it('is in the list over all tenants', async () => {
    const { id } = await stalledBatch()
    const ops = await operator()

    await until('the list over all tenants', async () => {
      let cursor = ''
      for (;;) {
        const { body } = await expectStatus(200, ops.get(`/ops/v1/batches?stalled=true${cursor}`))
        if (body.data.some((batch) => batch.id === id)) return true
        if (body.next_cursor === null) return false
        cursor = `&cursor=${body.next_cursor}`
      }
    })
  })

  it('is in a list in pages', async () => {
    const acme = await newTenant()
    const ids = await Promise.all(
      [1, 2, 3].map(async () => (await submittedBatch(acme, { ...stuck, on_duplicate: 'run' })).id),
    )
    await until('all have stalled', async () => (await stalledIn(acme)).length === 3)
    const pageAt = async (cursor: string) =>
      (
        await expectStatus(
          200,
          (await operator()).get(`/ops/v1/batches?tenant_id=${acme.id}&limit=2${cursor}`),
        )
      ).body

    const first = await pageAt('')
    const second = await pageAt(`&cursor=${first.next_cursor}`)

    expect([...first.data, ...second.data].map(({ id }) => id)).toEqual(ids.toSorted().toReversed())
    expect([first.has_more, second.has_more, second.next_cursor]).toEqual([true, false, null])
  })

  it('is let wait on, with who decided that and why', async () => {
    const { acme, id } = await stalledBatch()

    const { status, body } = await decide(id, 'wait')

    expect([status, body]).toEqual([
      200,
      expect.objectContaining({ id, tenant_id: acme.id, terminal: false }),
    ])
    expect(await audited(id)).toEqual([{ action: 'batch.wait', operator: clientId, reason: REASON }])
  })

  it('is cancelled, and settled for whoever decides later', async () => {
    const { acme, id } = await stalledBatch()

    expect(await decide(id, 'cancel')).toMatchObject({ status: 200, body: { status: 'cancelled' } })

    expect(await batchOf(acme, id)).toMatchObject({ status: 'cancelled', counts: { cancelled: 3 } })
    for (const verb of ['wait', 'cancel', 'run_individually'])
      expect((await decide(id, `${verb}?tenant_id=${acme.id}`)).body.type).toMatch(/batch-settled$/)
    expect(await audited(id)).toEqual([{ action: 'batch.cancel', operator: clientId, reason: REASON }])
  })

  it('runs item by item, and ends with results', async () => {
    const { acme, id } = await stalledBatch(4)

    const { status } = await decide(id, 'run_individually', { 'Idempotency-Key': `run-${id}` })

    expect(status).toBe(200)
    expect(await endedBatch(acme, id)).toMatchObject({ status: 'completed', counts: { succeeded: 4 } })
    expect((await resultsOf(acme, id)).map(({ index }) => index)).toEqual([0, 1, 2, 3])
    const again = await decide(id, 'run_individually', { 'Idempotency-Key': `run-${id}` })
    expect([again.status, again.headers.get('Idempotency-Replayed')]).toEqual([200, 'true'])
    expect(await audited(id)).toHaveLength(1)
  })
})

describe.concurrent('a batch that operators ask for', () => {
  it('is shown with what its tenant was told of it', async () => {
    const receiver = await newReceiver()
    const acme = await newTenant()
    const endpoint = await acme.listens(receiver, ['batch.*'])
    const { id } = await submittedBatch(acme)
    await endedBatch(acme, id)
    await receiver.arrived(2)

    const { deliveries } = await until('both are delivered', async () => {
      const detail = await read(id, `?tenant_id=${acme.id}`)
      return detail.deliveries.every(({ status }) => status === 'delivered') && detail
    })

    expect(deliveries.map((one) => [one.event_type, one.endpoint_id, one.attempts.length])).toEqual([
      ['batch.accepted', endpoint.id, 1],
      ['batch.result_available', endpoint.id, 1],
    ])
    expect(JSON.stringify(deliveries)).not.toContain('response')
  })

  it('is shown with the names in its metadata, and with none of their values', async () => {
    const acme = await newTenant()
    const { id } = await submittedBatch(acme, embedBatch(1, { metadata: { customer: 'Alice Example' } }))

    const detail = await read(id, `?tenant_id=${acme.id}`)

    expect(detail.metadata_keys).toEqual(['customer'])
    expect(JSON.stringify(detail)).not.toContain('Alice')
  })

  it('is shown with its dead letter', async () => {
    const acme = await newTenant()
    const { id } = await submittedBatch(acme, embedBatch(2, { model: 'test/permission-denied' }))
    await endedBatch(acme, id)

    const { dead_letter } = await until('it has one', async () => {
      const detail = await read(id, `?tenant_id=${acme.id}`)
      return detail.dead_letter && detail
    })

    expect(dead_letter).toMatchObject({ batch_id: id, tenant_id: acme.id, status: 'open' })
  })

  it('has to be there, and a decision needs a reason', async () => {
    const { id } = await stalledBatch(1)
    const ops = await operator()
    const globex = await newTenant()

    for (const path of [
      'none',
      id.replace(/.$/, (last) => (last === '0' ? '1' : '0')),
      `${id}?tenant_id=${globex.id}`,
      `${id}?tenant_id=nobody`,
    ])
      expect((await ops.get(`/ops/v1/batches/${path}`)).status).toBe(404)
    const { status, body } = await ops.post(`/ops/v1/batches/${id}/wait`, {})
    expect([status, body.errors]).toEqual([400, [{ pointer: '/reason', detail: 'Required.' }]])
  })

  it('is nothing that tenants may see', async () => {
    const { acme, id } = await stalledBatch(1)

    expect((await acme.get(`/ops/v1/batches/${id}`)).status).toBe(401)
  })
})
