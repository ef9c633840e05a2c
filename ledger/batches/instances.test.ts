import { describe, expect, it } from 'vitest'
import { answerTo, BatchLedger, lookWork, plannedChunks, startedBatch } from './batches.fixture.ts'
import { beginSubmission } from './begin-submission.ts'
import { nextInstance } from './instances.ts'
import { lookAtBatch } from './look-at-batch.ts'
import { pollOrders } from './orders.ts'
import { accepted, begun, ended, noted } from './submissions.fixture.ts'

describe('an instance that was replaced', () => {
  it('is told so, but what it knows of a submission counts', () => {
    const ledger = new BatchLedger()
    const old = startedBatch(ledger, plannedChunks([2]))
    lookWork(ledger, old)
    const order = begun(ledger, old)
    expect(ledger.run((ctx) => nextInstance(ctx, old.batchId, 1))).toBe(2)
    expect(ledger.run((ctx) => nextInstance(ctx, old.batchId, 1))).toBeNull()

    expect(ended(ledger, old, order, accepted)).toBe(false)
    expect(ledger.run((ctx) => lookAtBatch(ctx, old, false))).toEqual({ kind: 'over' })
    expect(ledger.run((ctx) => beginSubmission(ctx, old, 0, false))).toEqual({ kind: 'none' })

    const acting = { ...old, instance: 2 }
    expect(ledger.run((ctx) => pollOrders(ctx, acting, [0]))).toMatchObject([{ providerRequestId: 'req-1' }])
    expect(noted(ledger, old, answerTo(order, 'ss'))).toBe(false)
    expect(ledger.snapshot(old.batchId).status).toBe('completed')
  })
})
