import { describe, expect, it } from 'vitest'
import { answerTo, BatchLedger, lookWork, plannedChunks, startedBatch } from './batches.fixture.ts'
import { sweepBatchDeadlines } from './deadlines.ts'
import { writeFaults } from './kept-faults.ts'
import { batchItems, batchReport, type ItemQuery } from './read-items.ts'
import { updateBatch } from './rows.ts'
import { noted, sent } from './submissions.fixture.ts'

/** Two chunks that were filled side by side, of which one is answered. */
function answered(ledger: BatchLedger) {
  const [even = [], odd = []] = [0, 1].map((first) =>
    plannedChunks([2], {
      runs: [
        [first, 1],
        [first + 2, 1],
      ],
    }),
  )
  const acting = startedBatch(ledger, [...even, ...odd])
  lookWork(ledger, acting)
  const usages = [[1, 2], null] as const
  noted(ledger, acting, answerTo(sent(ledger, acting, 1), 'sf', { usages: [...usages] }))
  return acting
}

function items(ledger: BatchLedger, id: string, more: Partial<ItemQuery> = {}) {
  const page = ledger.run((ctx) => batchItems(ctx, id, { status: null, after: null, limit: 10, ...more }))
  if (!page.ok) throw new Error(page.refusal.code)
  return { indexes: page.value.items.map(({ index }) => index), ...page.value }
}

describe('the items of a batch', () => {
  it('come in input order, whatever chunks they are in, a page at a time', () => {
    const ledger = new BatchLedger()
    const { batchId } = answered(ledger)

    expect(items(ledger, batchId)).toMatchObject({ indexes: [0, 1, 2, 3], nextAfter: null })
    expect(items(ledger, batchId, { limit: 4 })).toMatchObject({ nextAfter: null })
    expect(items(ledger, batchId, { limit: 3 })).toMatchObject({ indexes: [0, 1, 2], nextAfter: 2 })
    expect(items(ledger, batchId, { after: 2 })).toMatchObject({ indexes: [3], nextAfter: null })
    expect(items(ledger, batchId, { status: 'pending', limit: 1 })).toMatchObject({
      indexes: [0],
      nextAfter: 0,
    })
  })

  it('say what became of each', () => {
    const ledger = new BatchLedger()
    const { batchId } = answered(ledger)
    ledger.pass(3_600_000)
    ledger.run(sweepBatchDeadlines)

    const row = (index: number, chunk: number, status: string) => ({
      reference: `r${index}`,
      ...{ index, chunk, status },
    })
    expect(items(ledger, batchId).items).toEqual([
      { ...row(0, 0, 'expired'), errorClass: 'deadline_exceeded', usage: null },
      { ...row(1, 1, 'succeeded'), errorClass: null, usage: [1, 2] },
      { ...row(2, 0, 'expired'), errorClass: 'deadline_exceeded', usage: null },
      { ...row(3, 1, 'failed'), errorClass: 'missing_result', usage: null },
    ])
  })
})

describe('the report of a batch', () => {
  it('counts failures by class, and tells lines only once they are counted', () => {
    const ledger = new BatchLedger()
    const { batchId } = answered(ledger)
    const fault = { line: 3, external_reference: null, class: 'invalid_input', detail: 'Not JSON.' } as const
    writeFaults(ledger.db, batchId, { page: 0, faults: [fault] })
    const report = () => ledger.run((ctx) => batchReport(ctx, batchId))

    expect(report()).toMatchObject({
      value: { items: 4, errorClasses: { missing_result: 1 }, lineErrors: [] },
    })
    updateBatch(ledger.db, batchId, { invalidItems: 1 })

    expect(report()).toMatchObject({ value: { lineErrors: [fault] } })
  })

  it('and its items are of no batch that is not there', () => {
    const ledger = new BatchLedger()

    expect(ledger.run((ctx) => batchReport(ctx, 'batch_none'))).toMatchObject({
      refusal: { code: 'not-found' },
    })
    expect(() => items(ledger, 'batch_none')).toThrow('not-found')
  })
})
