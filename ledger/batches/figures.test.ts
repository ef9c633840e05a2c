import { describe, expect, it } from 'vitest'
import type { BatchStatusReason } from '../../openapi/batch-states.ts'
import { BatchLedger, callAt, plannedChunks, START, startedBatch } from './batches.fixture.ts'
import { cancelBatch } from './cancel-batch.ts'
import { type ChunkChange, updateChunk } from './chunks.ts'
import { figuresOf } from './figures.ts'
import { updateBatch } from './rows.ts'

const ended: ChunkChange = { state: 'collected', succeeded: 2, statuses: 'ss' }

describe('the reason of a status', () => {
  /** Of a batch of two chunks of two items, in these states. */
  const reasonOf = (first: ChunkChange, second: ChunkChange) => {
    const ledger = new BatchLedger()
    const { batchId } = startedBatch(ledger, plannedChunks([2, 2]))
    for (const [chunk, change] of [first, second].entries())
      updateChunk(ledger.db, { batchId, chunk }, change)
    return figuresOf(ledger, ledger.row(batchId)).statusReason
  }
  const late = { stalledAt: START }

  it.each<[string, ChunkChange, ChunkChange, BatchStatusReason]>([
    ['is submitted', {}, ended, 'submitting'],
    ['is being submitted', { state: 'submitting' }, ended, 'submitting'],
    ['is out, and another is to be', { state: 'submitted' }, {}, 'waiting_for_provider'],
    ['may be out, for all that is known', { state: 'unknown' }, {}, 'waiting_for_provider'],
    ['is out for too long', { state: 'submitted', ...late }, {}, 'stalled'],
    ['was out for too long, and is answered', { ...ended, ...late }, {}, 'submitting'],
    ['was out for too long, and runs singly', { path: 'jobs', ...late }, ended, 'running_individually'],
    ['runs singly', { path: 'jobs', state: 'submitted' }, ended, 'running_individually'],
    ['is out, and another runs singly', { state: 'submitted' }, { path: 'jobs' }, 'waiting_for_provider'],
    ['ran singly', { ...ended, path: 'jobs', state: 'submitted' }, ended, 'collecting'],
  ])('is, where a chunk %s, what it waits for', (_, first, second, reason) => {
    expect(reasonOf(first, second)).toBe(reason)
  })

  it('is that of planning before there are chunks, and of an ended batch what kept items from running', () => {
    const ledger = new BatchLedger()
    const { batchId } = startedBatch(ledger, plannedChunks([1]))
    updateBatch(ledger.db, batchId, { planned: false })
    expect(ledger.snapshot(batchId).statusReason).toBe('planning')
    ledger.run((ctx) => cancelBatch(ctx, callAt(ledger.now), batchId))
    expect(ledger.snapshot(batchId).statusReason).toBeNull()

    for (const [lack, reason] of [
      [{ invalidItems: 1, duplicateItems: 0 }, 'invalid_items'],
      [{ invalidItems: 0, duplicateItems: 1 }, 'invalid_items'],
      [{ invalidItems: 0, duplicateItems: 0 }, null],
    ] as const) {
      updateBatch(ledger.db, batchId, lack)
      expect(ledger.snapshot(batchId).statusReason).toBe(reason)
    }
  })
})
