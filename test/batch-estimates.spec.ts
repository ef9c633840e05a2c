import { describe, expect, it } from 'vitest'
import {
  embedBatch,
  embedItems,
  endedBatch,
  estimateOf,
  ndjson,
  reportOf,
  submittedBatch,
  uploadedItems,
} from './support/batches.ts'
import { contentOf } from './support/control.ts'
import { newTenant } from './support/tenant.ts'

describe.concurrent('an estimate of a batch', () => {
  it('tells items, chunks and price, and stores nothing', async () => {
    const acme = await newTenant()
    const items = embedItems(6).map((item, at) => ({ ...item, ...(at > 3 && { retention_seconds: 60 }) }))

    const estimate = await estimateOf(acme, { kind: 'embed', model: 'test/priced', items })

    expect(estimate).toMatchObject({
      estimated_cost_usd: 0.06,
      model: 'test/priced',
      would_be_accepted: true,
      reasons: [],
      items: 6,
      chunks: [
        { index: 0, path: 'batch', item_count: 4, retention_seconds: 604_800 },
        { index: 1, path: 'batch', item_count: 2, retention_seconds: 60 },
      ],
      errors: [],
      error_count: 0,
    })
    expect(estimate.estimated_input_tokens).toBeGreaterThan(100)
    expect(await contentOf(acme.id)).toEqual([])
    expect((await acme.get('/v1/batches')).body.data).toEqual([])
  })

  it('names what is no item, inline and in a file', async () => {
    const acme = await newTenant()
    const items = [...embedItems(2), { external_reference: 'bad', input: { texts: [] } }]
    const items_file_id = await uploadedItems(acme, ndjson(items))
    const named = { items: 2, error_count: 1, errors: [{ line: 3, external_reference: 'bad' }] }

    for (const body of [{ items }, { items_file_id }])
      expect(await estimateOf(acme, { kind: 'embed', ...body })).toMatchObject({
        ...named,
        would_be_accepted: false,
        reasons: ['invalid-request'],
      })
    expect(await estimateOf(acme, { kind: 'embed', items_file_id, on_invalid: 'skip' })).toMatchObject({
      ...named,
      would_be_accepted: true,
    })
  })

  it('says that items are open in another batch', async () => {
    const acme = await newTenant()
    const stuck = embedBatch(2, { model: 'test/batch-stuck' })
    await submittedBatch(acme, stuck)

    expect(await estimateOf(acme, stuck)).toMatchObject({
      would_be_accepted: false,
      reasons: ['duplicate-items'],
    })
    expect(await estimateOf(acme, { ...stuck, on_duplicate: 'run' })).toMatchObject({
      would_be_accepted: true,
    })
  })

  it('says so of a file, too, which the submission takes and the batch fails of', async () => {
    const acme = await newTenant()
    const items = embedItems(4)
    const stuck = { kind: 'embed', model: 'test/batch-stuck' }
    await submittedBatch(acme, { ...stuck, items: items.slice(2, 3) })
    const of = { ...stuck, items_file_id: await uploadedItems(acme, ndjson(items)) }

    expect(await estimateOf(acme, of)).toMatchObject({
      items: 4,
      would_be_accepted: false,
      reasons: ['duplicate-items'],
    })
    expect(await estimateOf(acme, { ...of, on_duplicate: 'run' })).toMatchObject({ would_be_accepted: true })

    const { id } = await submittedBatch(acme, of)
    expect(await endedBatch(acme, id)).toMatchObject({ status: 'failed', status_reason: 'invalid_items' })
    expect((await reportOf(acme, id)).errors).toMatchObject([{ line: 3, external_reference: 'item-2' }])
  })

  it('says why it would not be accepted', async () => {
    const acme = await newTenant({ monthly_budget_usd: 0.01 })

    const estimate = await estimateOf(acme, embedBatch(2, { model: 'test/priced', max_cost_usd: 0.001 }))

    expect(estimate).toMatchObject({
      would_be_accepted: false,
      reasons: ['cost-over-limit', 'budget-exhausted'],
    })
  })
})
