import { describe, expect, it } from 'vitest'
import { BatchLedger, lookWork, plannedChunks, startedBatch } from './batches.fixture.ts'
import { beginSubmission } from './begin-submission.ts'
import { dropPages } from './manifest.ts'
import { pollOrders } from './orders.ts'
import { sent } from './submissions.fixture.ts'

/** Chunks of so many items, all of them out; answers those of one reply. */
function inOneReply(sizes: number[]): number[] {
  const ledger = new BatchLedger()
  const acting = startedBatch(ledger, plannedChunks(sizes))
  lookWork(ledger, acting)
  const chunks = sizes.map((_, chunk) => chunk)
  for (const chunk of chunks) sent(ledger, acting, chunk)
  return ledger.run((ctx) => pollOrders(ctx, acting, chunks)).map(({ chunk }) => chunk)
}

describe('the orders for a look at the provider', () => {
  it('are of 20,000 items at most, or of one chunk', () => {
    expect(inOneReply([10_000, 10_000, 1])).toEqual([0, 1])
    expect(inOneReply([20_001, 1])).toEqual([0])
  })

  it('are of chunks that were sent', () => {
    const ledger = new BatchLedger()
    const acting = startedBatch(ledger)
    lookWork(ledger, acting)
    sent(ledger, acting, 1)

    expect(ledger.run((ctx) => pollOrders(ctx, acting, [0, 1, 7])).map(({ chunk }) => chunk)).toEqual([1])
  })
})

describe('a chunk', () => {
  it('is never sent without one of its items', () => {
    const ledger = new BatchLedger()
    const acting = startedBatch(ledger)
    dropPages(ledger.db, acting.batchId)

    expect(() => ledger.run((ctx) => beginSubmission(ctx, acting, 0, false))).toThrow('lacks an item')
  })
})
