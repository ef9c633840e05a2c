import { describe, expect, it } from 'vitest'
import type { JobRecord } from '../jobs.ts'
import { answerTo, BatchLedger, lookWork, plannedChunks, startedBatch } from './batches.fixture.ts'
import { finishIfDone } from './end-batch.ts'
import { gathered, jobsIn, opened, ran } from './item-jobs.fixture.ts'
import { updateBatch } from './rows.ts'
import { noted, sent } from './submissions.fixture.ts'

/** A batch whose items run singly, each to this end. */
function ranSingly(ledger: BatchLedger, ends: ('succeeds' | 'fails')[]) {
  const acting = startedBatch(ledger, plannedChunks([ends.length], { path: 'jobs' }))
  lookWork(ledger, acting)
  const order = opened(ledger, acting)
  for (const [at, job] of jobsIn(ledger, acting.batchId).entries())
    ran(ledger, job as JobRecord, ends[at] ?? 'fails')
  return { acting, order }
}

describe('the end of a batch', () => {
  it('waits until the outputs of its jobs are in their place', () => {
    const ledger = new BatchLedger()
    const { acting, order } = ranSingly(ledger, ['succeeds', 'succeeds', 'fails'])

    expect(lookWork(ledger, acting)).toMatchObject({ gather: [0] })
    expect(ledger.snapshot(acting.batchId)).toMatchObject({
      status: 'processing',
      statusReason: 'collecting',
      counts: { pending: 0 },
    })
    gathered(ledger, acting, order)

    expect(ledger.snapshot(acting.batchId)).toMatchObject({ status: 'partially_failed' })
  })

  it('comes at once where none of its jobs has an output, and its chunk has failed by then', () => {
    const ledger = new BatchLedger()
    const { acting } = ranSingly(ledger, ['fails', 'fails'])

    ledger.run((ctx) => finishIfDone(ctx, acting.batchId))

    expect(ledger.snapshot(acting.batchId)).toMatchObject({ status: 'failed' })
    expect(ledger.chunk(acting.batchId, 0)).toMatchObject({ state: 'failed', collectedAt: ledger.now })
  })

  it('is only in part what was asked for where lines were no items, though all items succeeded', () => {
    const ledger = new BatchLedger()
    const acting = startedBatch(ledger, plannedChunks([2]))
    updateBatch(ledger.db, acting.batchId, { invalidItems: 1 })
    lookWork(ledger, acting)
    noted(ledger, acting, answerTo(sent(ledger, acting), 'ss'))

    expect(ledger.snapshot(acting.batchId)).toMatchObject({
      status: 'partially_failed',
      statusReason: 'invalid_items',
    })
  })

  it('comes once: what has ended is not ended again', () => {
    const ledger = new BatchLedger()
    const acting = startedBatch(ledger, plannedChunks([2]))
    lookWork(ledger, acting)
    noted(ledger, acting, answerTo(sent(ledger, acting), 'ss'))
    const [batch, chunk] = [ledger.row(acting.batchId), ledger.chunk(acting.batchId, 0)]

    ledger.pass(1000)
    ledger.run((ctx) => finishIfDone(ctx, acting.batchId))

    expect([ledger.row(acting.batchId), ledger.chunk(acting.batchId, 0)]).toEqual([batch, chunk])
  })
})
