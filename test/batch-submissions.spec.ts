import { randomUUID } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import { chunksOf, message, mostAtOnce, wake } from './support/batch-rows.ts'
import {
  cancelledBatch,
  embedBatch,
  embedItems,
  endedBatch,
  itemsOf,
  resultsOf,
  submittedBatch,
} from './support/batches.ts'
import { inDirectory, inLedger, loseContent, putContent, send } from './support/control.ts'
import { RUN_TIMEOUT_SECONDS } from './support/run-timeout.ts'
import { newTenant, type Tenant } from './support/tenant.ts'
import { until } from './support/wait.ts'
import { waitingBatch } from './support/waiting-batches.ts'

/** The chunk as a Workflow leaves it that dies after it has noted that it is about to submit. */
async function dieSubmitting(acme: Tenant, id: string): Promise<void> {
  const intent = "update batch_chunks set state = 'submitting', tries = 1, intent_at = ? where batch_id = ?"
  await inLedger(acme.id, intent, Date.now(), id)
  await wake(acme, id)
}

/** What the embedded provider remembers of a chunk that it took. */
const taken = (acme: Tenant, id: string, model: string) =>
  putContent(`t/${acme.id}/batch/${id}/embedded/taken/${id}-0-1`, '', { model, at: String(Date.now()) })

describe.concurrent('a submission that nobody knows the outcome of', () => {
  it('is taken up where the provider has it', async () => {
    const { acme, id } = await waitingBatch()
    await taken(acme, id, 'embedded/hash-1')

    await dieSubmitting(acme, id)

    expect(await endedBatch(acme, id)).toMatchObject({ status: 'completed', counts: { succeeded: 3 } })
    expect(await chunksOf(acme, id)).toMatchObject([{ state: 'collected', tries: 1 }])
    expect(await resultsOf(acme, id)).toHaveLength(3)
  })

  it('is made again where the provider has never seen it', async () => {
    const { acme, id, free } = await waitingBatch()

    await dieSubmitting(acme, id)
    await until('it is known', async () => (await chunksOf(acme, id))[0]?.state === 'planned')
    await free()

    expect(await endedBatch(acme, id)).toMatchObject({ status: 'completed', counts: { succeeded: 3 } })
    expect(await chunksOf(acme, id)).toMatchObject([{ state: 'collected', tries: 2 }])
  })

  it('is never made again where the provider cannot tell', async () => {
    const { acme, id, free } = await waitingBatch(embedBatch(3, { model: 'test/hangs' }))

    await dieSubmitting(acme, id)
    await until('that is known', async () => (await chunksOf(acme, id))[0]?.state === 'unknown')
    await free()
    await wake(acme, id)

    await until('it is seen as stalled', async () => {
      const [chunk] = await chunksOf(acme, id)
      return chunk?.state === 'unknown' && chunk.tries === 1
    })
    expect(await cancelledBatch(acme, id)).toMatchObject({ batch: { status: 'cancelled' } })
  })

  it('because the provider did not answer in time, is asked for once it must have arrived', async () => {
    const acme = await newTenant()
    const { id } = await submittedBatch(acme, embedBatch(1, { model: 'test/hangs' }))

    await until('it is known', async () => (await chunksOf(acme, id))[0]?.state === 'unknown')

    const [chunk] = await chunksOf(acme, id)
    expect((chunk?.stalled_at ?? 0) - (chunk?.intent_at ?? 0)).toBeGreaterThan(2000 * RUN_TIMEOUT_SECONDS)
    expect(chunk).toMatchObject({ tries: 1 })
  })
})

describe.concurrent('submitting', () => {
  it('is levelled over all tenants where the provider takes only so many chunks at once', async () => {
    const levels = ['public', 'internal', 'confidential', 'restricted'] as const
    const [item] = embedItems(1)
    const items = levels.map((confidentiality) => ({
      ...item,
      external_reference: confidentiality,
      confidentiality,
    }))
    const batches = await Promise.all(
      [1, 2].map(async () => {
        const acme = await newTenant()
        return { acme, id: (await submittedBatch(acme, { kind: 'embed', items, model: 'test/limited' })).id }
      }),
    )

    for (const { acme, id } of batches)
      expect(await endedBatch(acme, id)).toMatchObject({ status: 'completed', counts: { succeeded: 4 } })
    const chunks = await Promise.all(batches.map(({ acme, id }) => chunksOf(acme, id)))
    expect(mostAtOnce(chunks.flat())).toBe(2)
  })

  it('fails with a fault of ours where the items are gone', async () => {
    const { acme, id, free } = await waitingBatch()
    const [row] = await inLedger<{ ref: string }>(
      acme.id,
      'select source_ref as ref from batches where id = ?',
      id,
    )
    await loseContent(row?.ref ?? '')

    await free()

    expect(await endedBatch(acme, id)).toMatchObject({ status: 'failed', counts: { failed: 3 } })
    const { data } = await itemsOf(acme, id)
    expect(data.map(({ error }) => error?.class)).toEqual(['internal', 'internal', 'internal'])
  })

  it('that the provider refuses for a while is tried again', async () => {
    const acme = await newTenant()
    const { id } = await submittedBatch(acme, embedBatch(2, { model: 'test/flaky' }))

    expect(await endedBatch(acme, id)).toMatchObject({ status: 'completed', counts: { succeeded: 2 } })
    expect(await chunksOf(acme, id)).toMatchObject([{ tries: 3 }])
  })
})

describe.concurrent('a message about a batch that was given up', () => {
  const letterOf = (id: string) =>
    until(`the dead letter of ${id}`, async () => {
      const [row] = await inDirectory<object>('select * from dead_letters where batch_id = ?', id)
      return row
    })

  it('is recorded as recovered while the ledger goes on with the batch', async () => {
    const { acme, id } = await waitingBatch()

    await send('batches-dlq', message(acme, id))

    expect(await letterOf(id)).toMatchObject({
      status: 'recovered',
      queue: 'batches',
      tenant_id: acme.id,
      redrivable: 0,
    })
  })

  it('is recorded as superseded once the batch has ended', async () => {
    const acme = await newTenant()
    const { id } = await submittedBatch(acme)
    await endedBatch(acme, id)

    await send('batches-dlq', message(acme, id))

    expect(await letterOf(id)).toMatchObject({ status: 'superseded' })
  })

  it('is not recorded when its tenant is gone', async () => {
    const { acme, id } = await waitingBatch()
    const batch_id = `batch_${randomUUID()}`

    await send('batches-dlq', { v: 1, tenant_id: 'nobody', batch_id })
    await send('batches-dlq', message(acme, id))

    // The queue keeps the order.
    await letterOf(id)
    expect(await inDirectory('select * from dead_letters where batch_id = ?', batch_id)).toEqual([])
  })
})
