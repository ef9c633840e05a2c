import { describe, expect, it } from 'vitest'
import { BatchLedger, callAt, lookWork, plannedChunks, startedBatch } from './batches.fixture.ts'
import { cancelBatch } from './cancel-batch.ts'
import { instanceStanding, nextInstance } from './instances.ts'
import { lookAtBatch } from './look-at-batch.ts'
import { pollOrders } from './orders.ts'
import type { Acting } from './protocol.ts'
import { sent } from './submissions.fixture.ts'

const GRACE_MS = 30_000
/** The longest that anything is waited for. */
const CAP_MS = 10_000

const standing = (ledger: BatchLedger, { batchId }: Acting) =>
  ledger.run((ctx) => instanceStanding(ctx, batchId))
const next = (ledger: BatchLedger, { batchId }: Acting, after: number) =>
  ledger.run((ctx) => nextInstance(ctx, batchId, after))
const polled = (ledger: BatchLedger, acting: Acting) => ledger.run((ctx) => pollOrders(ctx, acting, [0]))

/** Nothing is left to be done for the batch. */
const leave = (ledger: BatchLedger, acting: Acting) => {
  ledger.run((ctx) => cancelBatch(ctx, callAt(ledger.now), acting.batchId))
  while (ledger.run((ctx) => lookAtBatch(ctx, acting, false)).kind !== 'over');
}

describe('the instance of a batch', () => {
  it('has a while to show itself, and counts as silent from then on', () => {
    const ledger = new BatchLedger()
    const acting = startedBatch(ledger)

    ledger.pass(GRACE_MS - 1)
    expect(standing(ledger, acting)).toEqual({ instance: 1, silent: false })
    ledger.pass(1)
    expect(standing(ledger, acting)).toEqual({ instance: 1, silent: true })
  })

  it('has longer by what it was told to wait', () => {
    const ledger = new BatchLedger()
    const acting = startedBatch(ledger, plannedChunks([2]))
    lookWork(ledger, acting)
    sent(ledger, acting)
    const { waitMs } = lookWork(ledger, acting)

    expect(waitMs).toBeGreaterThan(0)
    expect(waitMs).toBeLessThanOrEqual(CAP_MS)
    expect(ledger.row(acting.batchId).dueAt).toBe(ledger.now + (waitMs ?? 0) + GRACE_MS)
  })

  it('shows itself by all that it does, which is noted once it is worth it', () => {
    const ledger = new BatchLedger()
    const acting = startedBatch(ledger)
    const dueAt = ledger.now + GRACE_MS

    ledger.pass(GRACE_MS / 4)
    polled(ledger, acting)
    expect(ledger.row(acting.batchId)).toMatchObject({ dueAt })
    ledger.pass(1)
    polled(ledger, acting)

    expect(ledger.row(acting.batchId)).toMatchObject({ dueAt: ledger.now + GRACE_MS, progressAt: ledger.now })
  })

  it('is replaced by the next, once, which has a while to show itself in its turn', () => {
    const ledger = new BatchLedger()
    const acting = startedBatch(ledger)
    ledger.pass(GRACE_MS)

    expect([next(ledger, acting, 1), next(ledger, acting, 1), next(ledger, acting, 0)]).toEqual([
      2,
      null,
      null,
    ])
    expect(standing(ledger, acting)).toEqual({ instance: 2, silent: false })
    expect(polled(ledger, acting)).toEqual([])
  })

  it('is none of a batch that nothing is left to be done for, and does not bring it back', () => {
    const ledger = new BatchLedger()
    const acting = startedBatch(ledger)
    leave(ledger, acting)
    expect(standing(ledger, acting)).toBeNull()
    expect(next(ledger, acting, 1)).toBeNull()

    ledger.pass(GRACE_MS)
    polled(ledger, acting)
    expect(ledger.row(acting.batchId).dueAt).toBeNull()
    expect(ledger.run((ctx) => lookAtBatch(ctx, acting, false))).toEqual({ kind: 'over' })

    expect(ledger.row(acting.batchId).dueAt).toBeNull()
  })

  it('is none of a batch that is not there', () => {
    const ledger = new BatchLedger()
    const none = { batchId: 'batch_none', instance: 1 }

    expect(standing(ledger, none)).toBeNull()
    expect(next(ledger, none, 0)).toBeNull()
  })
})
