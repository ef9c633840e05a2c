import { describe, expect, it } from 'vitest'
import { BatchLedger, plannedChunks, startedBatch } from './batches.fixture.ts'
import { nextBatchDeadline, sweepBatchDeadlines } from './deadlines.ts'
import { unplannedBatch } from './files.fixture.ts'

const HOUR_MS = 3_600_000

describe('the deadline of a batch', () => {
  it('ends one that was never planned, at that moment', () => {
    const ledger = new BatchLedger()
    const { batchId: id } = unplannedBatch(ledger)

    ledger.pass(HOUR_MS - 1)
    ledger.run(sweepBatchDeadlines)
    expect(ledger.snapshot(id).status).toBe('accepted')
    ledger.pass(1)
    ledger.run(sweepBatchDeadlines)

    expect(ledger.snapshot(id)).toMatchObject({ status: 'expired', counts: { total: 0 } })
  })

  it('is followed by another, to which what runs singly has time', () => {
    const ledger = new BatchLedger()
    const { batchId } = startedBatch(ledger, plannedChunks([2]), { onDeadline: 'run_individually' })
    const { createdAt, deadlineAt } = ledger.row(batchId)
    expect(nextBatchDeadline(ledger.db, ledger.now)).toBe(deadlineAt)

    ledger.now = deadlineAt
    ledger.woken.clear()
    ledger.run(sweepBatchDeadlines)
    expect([...ledger.woken]).toEqual([batchId])
    const last = deadlineAt + HOUR_MS
    expect(last - createdAt).toBe(2 * HOUR_MS)
    expect(nextBatchDeadline(ledger.db, ledger.now)).toBe(last)
    ledger.now = last - 1
    ledger.run(sweepBatchDeadlines)
    expect(ledger.snapshot(batchId)).toMatchObject({ counts: { pending: 2 } })
    ledger.now = last
    ledger.run(sweepBatchDeadlines)

    expect(ledger.snapshot(batchId)).toMatchObject({ status: 'expired', counts: { expired: 2 } })
    expect(nextBatchDeadline(ledger.db, ledger.now)).toBeNull()
  })
})
