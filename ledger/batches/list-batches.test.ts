import { describe, expect, it } from 'vitest'
import { BatchLedger, callAt, plannedChunks, startedBatch } from './batches.fixture.ts'
import { cancelBatch } from './cancel-batch.ts'
import { type BatchFilter, listBatches } from './list-batches.ts'

const all: BatchFilter = { status: null, kind: null }

function listed(ledger: BatchLedger, filter: BatchFilter = all, after: string | null = null, limit = 10) {
  const page = ledger.run((ctx) => listBatches(ctx, filter, after, limit))
  if (!page.ok) throw new Error(page.refusal.code)
  return { ids: page.value.batches.map(({ id }) => id), nextAfter: page.value.nextAfter }
}

/** Three batches, one a second; the oldest first. */
function three(ledger: BatchLedger): string[] {
  return (['summarize', 'embed', 'embed'] as const).map((kind, at) => {
    ledger.pass(1000)
    return startedBatch(ledger, plannedChunks([1]), { kind, processingVersion: `${at}` }).batchId
  })
}

describe('a list of batches', () => {
  it('has the newest first, a page at a time, and says where it goes on', () => {
    const ledger = new BatchLedger()
    const [first, second, third] = three(ledger)

    expect(listed(ledger)).toEqual({ ids: [third, second, first], nextAfter: null })
    expect(listed(ledger, all, null, 3).nextAfter).toBeNull()
    expect(listed(ledger, all, null, 2)).toEqual({ ids: [third, second], nextAfter: second })
    expect(listed(ledger, all, second, 2)).toEqual({ ids: [first], nextAfter: null })
  })

  it('goes by status, kind and time: after one, and before the other', () => {
    const ledger = new BatchLedger()
    const [first = '', second = '', third = ''] = three(ledger)
    ledger.run((ctx) => cancelBatch(ctx, callAt(ledger.now), third))
    const { createdAt } = ledger.row(second)

    expect(listed(ledger, { ...all, status: 'cancelled' }).ids).toEqual([third])
    expect(listed(ledger, { ...all, status: 'accepted', kind: 'embed' }).ids).toEqual([second])
    expect(listed(ledger, { ...all, kind: 'summarize' }).ids).toEqual([first])
    expect(listed(ledger, { ...all, createdAfter: createdAt }).ids).toEqual([third])
    expect(listed(ledger, { ...all, createdAfter: createdAt - 1 }).ids).toEqual([third, second])
    expect(listed(ledger, { ...all, createdBefore: createdAt }).ids).toEqual([first])
    expect(listed(ledger, { ...all, createdBefore: createdAt + 1 }).ids).toEqual([second, first])
  })
})
