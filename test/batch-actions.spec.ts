import { randomUUID } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import {
  actOn,
  batchOf,
  cancelledBatch,
  embedBatch,
  embedItems,
  endedBatch,
  itemsOf,
  manifestOf,
  rerunOf,
  resultsOf,
  submittedBatch,
} from './support/batches.ts'
import { callLedger, contentOf, inLedger } from './support/control.ts'
import { newTenant, type Tenant } from './support/tenant.ts'
import { until } from './support/wait.ts'

const stuck = (count: number) => embedBatch(count, { model: 'test/batch-stuck' })
const partial = (count: number) => embedBatch(count, { model: 'test/batch-partial' })

describe.concurrent('a batch that is cancelled', () => {
  it('says what that stopped, and what had finished', async () => {
    const acme = await newTenant()
    const { id } = await submittedBatch(acme, stuck(5))

    const receipt = await cancelledBatch(acme, id)

    expect(receipt).toMatchObject({
      object: 'batch_cancellation',
      batch: { id, status: 'cancelled', terminal: true, counts: { total: 5, pending: 0, cancelled: 5 } },
      stopped: 5,
      already_finished: 0,
      charged_usd: 0,
    })
    expect(await batchOf(acme, id)).toEqual(receipt.batch)
    const lines = await resultsOf(acme, id)
    expect(lines.map(({ status, error, usage }) => [status, error, usage])).toEqual(
      Array.from({ length: 5 }, () => ['cancelled', null, null]),
    )
  })

  it('has one receipt under one key, and is settled for another', async () => {
    const acme = await newTenant()
    const { id } = await submittedBatch(acme, stuck(2))
    const key = randomUUID()
    const receipt = await cancelledBatch(acme, id, key)

    const again = await actOn(acme, id, 'cancel', undefined, key)
    const later = await actOn(acme, id, 'cancel')

    expect([again.status, again.body]).toEqual([200, receipt])
    expect(again.headers.get('Idempotency-Replayed')).toBe('true')
    expect([later.status, later.body.type]).toEqual([409, expect.stringMatching(/batch-settled$/)])
  })

  it('keeps the results that are there when it has ended by itself', async () => {
    const acme = await newTenant()
    const { id } = await submittedBatch(acme)
    await endedBatch(acme, id)

    const { status, body } = await actOn(acme, id, 'cancel')

    expect([status, body.type]).toEqual([409, expect.stringMatching(/batch-settled$/)])
    expect(await resultsOf(acme, id)).toHaveLength(3)
  })
})

describe.concurrent('a batch that is run again', () => {
  it('takes only what failed, in a new batch that names the old one', async () => {
    const acme = await newTenant()
    const { id } = await submittedBatch(acme, partial(8))
    await endedBatch(acme, id)
    const failed = (await itemsOf(acme, id, '?status=failed')).data.map((item) => item.external_reference)

    const rerun = await rerunOf(acme, id, { mode: 'incomplete_only', model: 'embedded/hash-1' })

    expect(rerun).toMatchObject({ parent_batch_id: id, kind: 'embed', model: 'embedded/hash-1' })
    expect(await endedBatch(acme, rerun.id)).toMatchObject({ status: 'completed', counts: { total: 2 } })
    expect((await resultsOf(acme, rerun.id)).map((line) => line.external_reference)).toEqual(failed)
    expect(await batchOf(acme, id)).toMatchObject({ counts: { failed: 2 } })
  })

  it('takes all for another processing version or model, and refuses the same', async () => {
    const acme = await newTenant()
    const { id } = await submittedBatch(acme, embedBatch(4))
    await endedBatch(acme, id)

    const same = await actOn(acme, id, 'rerun', { mode: 'recompute_all' })
    const other = await rerunOf(acme, id, {
      mode: 'recompute_all',
      processing_version: '2',
      params: { dimensions: 64 },
    })

    expect(same.status).toBe(400)
    expect(other).toMatchObject({ processing_version: '2', parent_batch_id: id })
    expect(await endedBatch(acme, other.id)).toMatchObject({ status: 'completed', counts: { total: 4 } })
    for (const { output } of await resultsOf(acme, other.id)) expect(output).toMatchObject({ dimensions: 64 })
  })

  it('has to have ended, and is checked like a submission', async () => {
    const acme = await newTenant()
    const open = await submittedBatch(acme, stuck(1))
    const { id } = await submittedBatch(acme, partial(4))
    await endedBatch(acme, id)

    const early = await actOn(acme, open.id, 'rerun', { mode: 'incomplete_only' })
    const model = await actOn(acme, id, 'rerun', { mode: 'incomplete_only', model: 'embedded/extract-1' })
    const params = await actOn(acme, id, 'rerun', { mode: 'incomplete_only', params: { dimensions: 1 } })

    expect([early.status, early.body.type]).toEqual([409, expect.stringMatching(/batch-not-settled$/)])
    expect([model.status, model.body.errors[0]?.pointer]).toEqual([400, '/model'])
    expect([params.status, params.body.errors[0]?.pointer]).toEqual([400, '/params/dimensions'])
  })

  it('is run again once under one key', async () => {
    const acme = await newTenant()
    const { id } = await submittedBatch(acme, partial(4))
    await endedBatch(acme, id)
    const key = randomUUID()
    const order = { mode: 'incomplete_only' }

    const answers = await Promise.all([1, 2, 3].map(() => actOn(acme, id, 'rerun', order, key)))

    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([202]))
    expect(new Set(answers.map(({ body }) => body.id)).size).toBe(1)
  })
})

/** The date of the item that is kept for a minute. */
async function passMinute(tenant: Tenant, id: string): Promise<void> {
  const due = 'update batch_chunks set delete_after = ? where batch_id = ? and retention_seconds = 60'
  await inLedger(tenant.id, due, Date.now(), id)
  await callLedger(tenant.id, 'poke')
}

describe.concurrent('the inputs of a batch that is run again', () => {
  it.each<[string, (tenant: Tenant, id: string) => Promise<unknown>]>([
    ['when the first of them is due', passMinute],
    ['when it is discarded', (tenant, id) => actOn(tenant, id, 'discard')],
  ])('go %s, but for those that run again', async (_, part) => {
    const acme = await newTenant()
    const items = embedItems(8).map((item, at) => ({ ...item, ...(at === 0 && { retention_seconds: 60 }) }))
    const { id } = await submittedBatch(acme, { ...partial(0), items })
    await endedBatch(acme, id)
    const sources = async () => (await contentOf(acme.id)).filter((ref) => ref.includes('/in/'))
    const [first = ''] = await sources()
    const failed = (await itemsOf(acme, id, '?status=failed')).data.map((item) => item.external_reference)

    const rerun = await rerunOf(acme, id, { mode: 'incomplete_only', model: 'embedded/hash-1' })
    await part(acme, id)

    await until('the source is deleted', async () => !(await sources()).includes(first))
    expect(failed.length).toBeGreaterThan(0)
    expect(await endedBatch(acme, rerun.id)).toMatchObject({ status: 'completed' })
    expect((await resultsOf(acme, rerun.id)).map((line) => line.external_reference)).toEqual(failed)
    expect(await sources()).toEqual([expect.stringContaining(rerun.id)])
    await actOn(acme, rerun.id, 'discard')
    await until('nothing is left of them', async () => (await sources()).length === 0)
  })
})

describe.concurrent('a batch that is discarded', () => {
  it('has no results any more, and keeps what else is known of it', async () => {
    const acme = await newTenant()
    const { id } = await submittedBatch(acme)
    await endedBatch(acme, id)

    const { status, body } = await actOn(acme, id, 'discard')

    expect([status, body.status, body.terminal]).toEqual([200, 'discarded', true])
    const results = await acme.get(`/v1/batches/${id}/results`)
    expect([results.status, results.body.type]).toEqual([410, expect.stringMatching(/content-deleted$/)])
    expect(await manifestOf(acme, id)).toMatchObject({ item_count: 3 })
    expect((await contentOf(acme.id)).filter((ref) => ref.includes(id))).toEqual([])
    await until('its source is deleted', async () => (await contentOf(acme.id)).length === 0)
  })

  it('has to have ended', async () => {
    const acme = await newTenant()
    const { id } = await submittedBatch(acme, stuck(1))

    const { status, body } = await actOn(acme, id, 'discard')

    expect([status, body.type]).toEqual([409, expect.stringMatching(/batch-not-settled$/)])
  })
})
