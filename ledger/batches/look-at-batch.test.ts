import { describe, expect, it } from 'vitest'
import { answerTo, BatchLedger, lookWork, plannedChunks, startedBatch, triedOf } from './batches.fixture.ts'
import { beginSubmission } from './begin-submission.ts'
import { nextInstance } from './instances.ts'
import { lookAtBatch } from './look-at-batch.ts'
import { noted, sent, spent } from './submissions.fixture.ts'

describe('a batch', () => {
  it('is submitted, polled and collected chunk by chunk, and completes', () => {
    const ledger = new BatchLedger()
    const acting = startedBatch(ledger)

    expect(lookWork(ledger, acting)).toMatchObject({ submit: [0, 1], waitMs: null })
    const orders = [sent(ledger, acting, 0), sent(ledger, acting, 1)]
    expect(lookWork(ledger, acting)).toMatchObject({ submit: [], poll: [], waitMs: 1000 })
    expect(ledger.snapshot(acting.batchId)).toMatchObject({
      status: 'processing',
      statusReason: 'waiting_for_provider',
    })
    ledger.pass(1000)
    expect(lookWork(ledger, acting).poll).toEqual([0, 1])
    for (const order of orders) noted(ledger, acting, answerTo(order, 'ss'))

    expect(ledger.snapshot(acting.batchId)).toMatchObject({
      status: 'completed',
      statusReason: null,
      counts: { total: 4, pending: 0, succeeded: 4 },
      usage: { inputTokens: 20, outputTokens: 10, costMicroUsd: 40_000 },
      finishedAt: ledger.now,
      contentExpiresAt: ledger.now + 86_400_000,
    })
    expect(spent(ledger)).toBe(40_000)
    expect(ledger.run((ctx) => lookAtBatch(ctx, acting, false))).toEqual({ kind: 'over' })
    expect(ledger.row(acting.batchId).dueAt).toBeNull()
  })

  it('has heard of its Workflow when that brings what a provider said, unless another has taken its place', () => {
    const ledger = new BatchLedger()
    const acting = startedBatch(ledger)
    const order = sent(ledger, acting)
    const dueIn = () => (ledger.row(acting.batchId).dueAt ?? 0) - ledger.now
    const pending = { kind: 'pending', ...triedOf(order) } as const

    ledger.pass(20_000)
    noted(ledger, acting, pending)
    expect(dueIn()).toBe(30_000)

    ledger.run((ctx) => nextInstance(ctx, acting.batchId, 1))
    ledger.pass(20_000)
    noted(ledger, acting, pending)
    expect(dueIn()).toBe(10_000)
  })

  it('ends partially failed where an item failed, and failed where all did', () => {
    for (const [answer, status] of [
      ['sf', 'partially_failed'],
      ['ff', 'failed'],
    ] as const) {
      const ledger = new BatchLedger()
      const acting = startedBatch(ledger, plannedChunks([2]))
      lookWork(ledger, acting)
      noted(ledger, acting, answerTo(sent(ledger, acting), answer))

      expect(ledger.snapshot(acting.batchId).status).toBe(status)
    }
  })

  it('has no more chunks out than its tenant may, over all batches, and others are woken when a place comes free', () => {
    const ledger = new BatchLedger({ max_batch_chunks: 2 })
    const [first, second] = [
      startedBatch(ledger),
      startedBatch(ledger, undefined, { processingVersion: '2' }),
    ]
    const order = sent(ledger, first, 0)
    sent(ledger, second, 0)

    expect(lookWork(ledger, first).submit).toEqual([])
    expect(ledger.run((ctx) => beginSubmission(ctx, second, 1, false))).toEqual({ kind: 'none' })
    ledger.woken.clear()
    noted(ledger, first, answerTo(order, 'ss'))

    expect([...ledger.woken].sort()).toEqual([first.batchId, second.batchId].sort())
    expect(lookWork(ledger, second).submit).toEqual([1])
  })
})

describe('a batch of a suspended tenant', () => {
  it('gets nothing new to send', () => {
    const ledger = new BatchLedger()
    const acting = startedBatch(ledger)

    expect(ledger.run((ctx) => lookAtBatch(ctx, acting, true))).toMatchObject({ submit: [] })
  })
})
