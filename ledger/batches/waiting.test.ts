import { describe, expect, it } from 'vitest'
import { answerTo, BatchLedger, lookWork, plannedChunks, startedBatch } from './batches.fixture.ts'
import { sweepBatchDeadlines } from './deadlines.ts'
import { decideBatch, listStalledBatches } from './decide-batch.ts'
import { gathered, jobsIn, opened, ran } from './item-jobs.fixture.ts'
import { lookAtBatch } from './look-at-batch.ts'
import { noted, sent } from './submissions.fixture.ts'

/** A batch whose chunk is at a provider that never answers. */
function stuck(ledger: BatchLedger, more: Parameters<typeof startedBatch>[2] = {}) {
  const acting = startedBatch(ledger, plannedChunks([3]), more)
  lookWork(ledger, acting)
  return { acting, order: sent(ledger, acting) }
}

describe('a batch that waits for its provider', () => {
  it('expires at its deadline, costs its estimate, and is called off', () => {
    const ledger = new BatchLedger()
    const { acting, order } = stuck(ledger)

    ledger.pass(3_600_000)
    ledger.run(sweepBatchDeadlines)
    expect(ledger.snapshot(acting.batchId)).toMatchObject({
      status: 'expired',
      counts: { expired: 3 },
      usage: { costMicroUsd: 30_000 },
    })
    expect(lookWork(ledger, acting).callOff).toEqual([0])
    expect(lookWork(ledger, acting).callOff).toEqual([0])
    expect(ledger.run((ctx) => lookAtBatch(ctx, acting, false))).toEqual({ kind: 'over' })
    noted(ledger, acting, answerTo(order, 'sss'))

    expect(ledger.snapshot(acting.batchId)).toMatchObject({
      counts: { expired: 3 },
      usage: { costMicroUsd: 30_000 },
    })
  })

  it('runs singly from its deadline on, if asked to, and an answer that comes then only costs', () => {
    const ledger = new BatchLedger()
    const { acting, order } = stuck(ledger, { onDeadline: 'run_individually' })

    ledger.pass(3_600_000)
    expect(lookWork(ledger, acting)).toMatchObject({ open: [0], callOff: [0], poll: [] })
    noted(ledger, acting, answerTo(order, 'sss'))
    expect(ledger.snapshot(acting.batchId).counts).toMatchObject({ pending: 3 })
    const singly = opened(ledger, acting)
    expect(singly).toMatchObject({ epoch: 1, tries: 1 })
    for (const job of jobsIn(ledger, acting.batchId)) ran(ledger, job, 'succeeds')
    gathered(ledger, acting, singly)

    expect(ledger.snapshot(acting.batchId)).toMatchObject({
      status: 'completed',
      usage: { costMicroUsd: 60_000 },
    })
  })

  it('is seen by operators, who can let it wait, run singly or be cancelled', () => {
    const ledger = new BatchLedger()
    const { acting } = stuck(ledger)
    expect(ledger.run(listStalledBatches)).toEqual([])
    ledger.pass(60_000)

    expect(ledger.run(listStalledBatches)).toMatchObject([
      { batch: { id: acting.batchId }, chunks: [{ chunk: 0 }] },
    ])
    ledger.run((ctx) => decideBatch(ctx, acting.batchId, 'wait'))
    expect(ledger.run(listStalledBatches)).toEqual([])
    ledger.pass(60_000)
    expect(ledger.run(listStalledBatches)).toHaveLength(1)
    ledger.run((ctx) => decideBatch(ctx, acting.batchId, 'run_individually'))
    expect(ledger.run(listStalledBatches)).toEqual([])
    expect(lookWork(ledger, acting).open).toEqual([0])
    expect(ledger.run((ctx) => decideBatch(ctx, acting.batchId, 'cancel'))).toMatchObject({
      value: { status: 'cancelled', counts: { cancelled: 3 } },
    })
    expect(ledger.run((ctx) => decideBatch(ctx, acting.batchId, 'wait'))).toMatchObject({
      refusal: { code: 'batch-settled' },
    })
  })
})
