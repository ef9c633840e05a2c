import { describe, expect, it } from 'vitest'
import { events } from '../schema.ts'
import { answerTo, BatchLedger, callAt, lookWork, plannedChunks, startedBatch } from './batches.fixture.ts'
import { cancelBatch } from './cancel-batch.ts'
import { sweepBatchDeadlines } from './deadlines.ts'
import { discardBatch } from './discard-batch.ts'
import type { Acting } from './protocol.ts'
import { noted, sent } from './submissions.fixture.ts'

/** What was told of the batch, in order. */
const told = (ledger: BatchLedger, { batchId }: Acting) =>
  ledger.db
    .select()
    .from(events)
    .all()
    .filter(({ subjectId }) => subjectId === batchId)
    .map(({ type, body }) => ({ type, data: JSON.parse(body).data }))

/** A batch of two items that are out. */
function out(ledger: BatchLedger) {
  const acting = startedBatch(ledger, plannedChunks([2]))
  lookWork(ledger, acting)
  return { acting, order: sent(ledger, acting) }
}

const cancel = (ledger: BatchLedger, { batchId }: Acting) =>
  ledger.run((ctx) => cancelBatch(ctx, callAt(ledger.now), batchId))

function end(ledger: BatchLedger, how: string): Acting {
  const { acting, order } = out(ledger)
  if (how === 'cancel') cancel(ledger, acting)
  else if (how === 'expire') {
    ledger.pass(3_600_000)
    ledger.run(sweepBatchDeadlines)
  } else noted(ledger, acting, answerTo(order, how))
  return acting
}

describe('a batch', () => {
  it.each([
    ['ss', 'completed', 'batch.result_available'],
    ['sf', 'partially_failed', 'batch.result_available'],
    ['ff', 'failed', 'batch.failed'],
    ['expire', 'expired', 'batch.expired'],
    ['cancel', 'cancelled', 'batch.cancelled'],
  ])('that ends by %s tells that it is %s, after it told that it was accepted', (how, status, type) => {
    const ledger = new BatchLedger()
    const acting = end(ledger, how)

    expect(told(ledger, acting)).toMatchObject([
      { type: 'batch.accepted', data: { status: 'accepted', sequence: 1, counts: { total: 2, pending: 2 } } },
      { type, data: { id: acting.batchId, object: 'batch', status, sequence: 2, counts: { pending: 0 } } },
    ])
  })

  it('tells nothing of being begun or discarded, nor twice of its end', () => {
    const ledger = new BatchLedger()
    const acting = end(ledger, 'ss')
    const before = ledger.row(acting.batchId)

    cancel(ledger, acting)
    ledger.pass(3_600_000)
    ledger.run(sweepBatchDeadlines)
    ledger.run((ctx) => discardBatch(ctx, callAt(ledger.now), acting.batchId))

    expect(told(ledger, acting).map(({ type }) => type)).toEqual(['batch.accepted', 'batch.result_available'])
    const { status, sequence, version } = ledger.row(acting.batchId)
    expect({ status, sequence }).toEqual({ status: 'discarded', sequence: before.sequence })
    expect(version).toBeGreaterThan(before.version)
  })
})
