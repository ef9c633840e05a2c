import { describe, expect, it } from 'vitest'
import { booksOf, chunksOf } from './support/batch-rows.ts'
import {
  cancelledBatch,
  embedBatch,
  embedItems,
  endedBatch,
  markedItems,
  ndjson,
  reportOf,
  submitBatch,
  submittedBatch,
  uploadedItems,
} from './support/batches.ts'
import { evict } from './support/control.ts'
import { newTenant } from './support/tenant.ts'
import { waitingBatch } from './support/waiting-batches.ts'

/** Each item costs 10,000 micro-USD. */
const priced = (count: number, more: object = {}) => embedBatch(count, { model: 'test/priced', ...more })
const BUDGET_USD = 0.05

const waiting = () => waitingBatch(priced(4), { monthly_budget_usd: BUDGET_USD })

describe.concurrent("a tenant's monthly budget", () => {
  it('is held by a batch that waits, and booked once when it ends', async () => {
    const { acme, id, free } = await waiting()
    const more = priced(2, { processing_version: '2' })

    expect(await booksOf(acme)).toMatchObject({ reserved: 40_000, spent: 0 })
    expect((await submitBatch(acme, more)).status).toBe(402)
    await evict(acme.id)
    expect((await submitBatch(acme, more)).status).toBe(402)
    await free()

    expect(await endedBatch(acme, id)).toMatchObject({ status: 'completed', usage: { cost_usd: 0.04 } })
    expect(await booksOf(acme)).toEqual({
      reserved: 0,
      spent: 40_000,
      cost: 40_000,
      items: 5,
      jobs: 0,
      succeeded: 4,
      failed: 0,
    })
    expect((await submitBatch(acme, more)).status).toBe(402)
    expect((await submitBatch(acme, priced(1, { processing_version: '2' }))).status).toBe(202)
  })

  it('is given back by what is cancelled before it was sent', async () => {
    const { acme, id, free } = await waiting()

    expect(await cancelledBatch(acme, id)).toMatchObject({ stopped: 4, charged_usd: 0 })

    expect(await booksOf(acme)).toMatchObject({ reserved: 0, spent: 0, cost: 0 })
    await free()
    expect((await submitBatch(acme, priced(5))).status).toBe(202)
  })

  it('is given back by what fails without having cost anything', async () => {
    const acme = await newTenant({ monthly_budget_usd: BUDGET_USD })
    const items = markedItems('batch-upload:401')
    const { id } = await submittedBatch(acme, { kind: 'summarize', model: 'openai/gpt-4o-mini', items })

    expect(await endedBatch(acme, id)).toMatchObject({ status: 'failed', usage: null })

    expect(await booksOf(acme)).toMatchObject({ reserved: 0, spent: 0, cost: 0, items: 3, failed: 3 })
  })

  it.each([
    ['the budget', {}],
    ['its own limit', { max_cost_usd: 0.03 }],
  ])('lets a file whose items cost more than %s fail before anything is sent', async (_, more) => {
    const acme = await newTenant({ monthly_budget_usd: BUDGET_USD })
    const items_file_id = await uploadedItems(acme, ndjson(embedItems(6)))

    const { id } = await submittedBatch(acme, { kind: 'embed', model: 'test/priced', items_file_id, ...more })

    const batch = await endedBatch(acme, id)
    expect(batch).toMatchObject({ status: 'failed', status_reason: null, usage: null })
    expect(batch.counts.total).toBe(0)
    const { errors, error_count, checks } = await reportOf(acme, id)
    expect([errors, error_count]).toMatchObject([[{ line: 0, class: 'budget_exhausted' }], 1])
    expect(checks.filter(({ passed }) => !passed)).toMatchObject([{ name: 'within_budget' }])
    expect(await booksOf(acme)).toMatchObject({ reserved: 0, spent: 0 })
    expect(await chunksOf(acme, id)).toEqual([])
  })

  it('is not passed by batches that come at once', async () => {
    const acme = await newTenant({ monthly_budget_usd: BUDGET_USD })

    const answers = await Promise.all(
      Array.from({ length: 6 }, (_, at) => submitBatch(acme, priced(2, { processing_version: `${at}` }))),
    )

    const taken = answers.filter(({ status }) => status === 202)
    expect(answers.map(({ status }) => status).toSorted()).toEqual([202, 202, 402, 402, 402, 402])
    await Promise.all(taken.map(({ body }) => endedBatch(acme, body.id)))
    expect(await booksOf(acme)).toMatchObject({ reserved: 0, spent: 40_000, items: 4, succeeded: 4 })
  })
})
