import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { deadLetterOutbox } from '../schema.ts'
import { answerTo, BatchLedger, lookWork, plannedChunks, startedBatch, triedOf } from './batches.fixture.ts'
import { beginSubmission } from './begin-submission.ts'
import { decideBatch } from './decide-batch.ts'
import { accepted, begun, ended, noted, sent, spent } from './submissions.fixture.ts'

beforeAll(() => void vi.spyOn(console, 'log').mockImplementation(() => undefined))
afterAll(() => vi.restoreAllMocks())

const failed = (name: 'rate_limited' | 'permission_denied') =>
  ({ kind: 'failed', class: name, retryAfterMs: null }) as const

describe('a submission', () => {
  it('that turns out to have been taken after all, when it was sent again, costs as well', () => {
    const ledger = new BatchLedger()
    const acting = startedBatch(ledger, plannedChunks([2]))
    lookWork(ledger, acting)
    const first = begun(ledger, acting)
    ended(ledger, acting, first, { kind: 'absent' })
    ledger.pass(1000)
    const second = sent(ledger, acting)

    for (const _ of [1, 2]) ended(ledger, acting, first, { ...accepted, providerRequestId: 'late' })
    noted(ledger, acting, answerTo(second, 'ss'))

    expect(spent(ledger)).toBe(40_000)
    expect(ledger.chunk(acting.batchId, 0)).toMatchObject({ providerRequestId: 'req-0', state: 'collected' })
  })

  it('that is begun again is reconciled, under the same key', () => {
    const ledger = new BatchLedger()
    const acting = startedBatch(ledger)

    const order = begun(ledger, acting)
    const again = ledger.run((ctx) => beginSubmission(ctx, acting, 0, false))

    expect(again).toEqual({ kind: 'reconcile', order })
    expect(order).toMatchObject({
      tries: 1,
      items: [{ position: 0, index: 0, reference: 'r0' }, { index: 1 }],
    })
  })

  it('that failed is tried again after its backoff, as often as its class says', () => {
    const ledger = new BatchLedger()
    const acting = startedBatch(ledger, plannedChunks([2]))
    lookWork(ledger, acting)
    const keys = new Set<string>()

    for (let tries = 1; tries <= 6; tries++) {
      const order = begun(ledger, acting)
      keys.add(order.key)
      ended(ledger, acting, order, failed('rate_limited'))
      expect(ledger.run((ctx) => beginSubmission(ctx, acting, 0, false))).toEqual({ kind: 'none' })
      ledger.pass(1000)
    }

    expect(keys.size).toBe(6)
    expect(ledger.snapshot(acting.batchId)).toMatchObject({
      status: 'failed',
      counts: { failed: 2 },
      usage: null,
    })
    expect(ledger.chunk(acting.batchId, 0)).toMatchObject({
      state: 'failed',
      errors: { 0: 'rate_limited', 1: 'rate_limited' },
    })
  })

  it('that only operators can mend fails its chunk at once, with one dead letter of the batch', () => {
    const ledger = new BatchLedger()
    const acting = startedBatch(ledger)
    lookWork(ledger, acting)

    for (const chunk of [0, 1])
      ended(ledger, acting, begun(ledger, acting, chunk), failed('permission_denied'))

    const letters = ledger.db.select().from(deadLetterOutbox).all()
    expect(letters.map(({ jobId }) => jobId)).toEqual([acting.batchId])
    expect(JSON.parse(letters[0]?.record ?? '')).toMatchObject({
      queue: 'batches',
      class: 'permission_denied',
    })
  })

  it('that never arrived is sent again', () => {
    const ledger = new BatchLedger()
    const acting = startedBatch(ledger)

    ended(ledger, acting, begun(ledger, acting), { kind: 'absent' })
    ledger.pass(1000)

    expect(begun(ledger, acting)).toMatchObject({ tries: 2 })
    expect(spent(ledger)).toBe(0)
  })

  it('of which nobody knows costs its estimate, waits for a decision, and is never sent again by itself', () => {
    const ledger = new BatchLedger()
    const acting = startedBatch(ledger)

    const order = begun(ledger, acting)
    ended(ledger, acting, order, { kind: 'unknown' })

    expect(spent(ledger)).toBe(20_000)
    expect(lookWork(ledger, acting).submit).toEqual([1])
    expect(ledger.snapshot(acting.batchId)).toMatchObject({ statusReason: 'stalled', counts: { pending: 4 } })
    ended(ledger, acting, order, accepted)
    noted(ledger, acting, answerTo(order, 'ss'))
    expect(ledger.snapshot(acting.batchId).counts).toMatchObject({ succeeded: 2, pending: 2 })
    expect(spent(ledger)).toBe(20_000)
  })

  it('of which nobody knows is waited for, once an operator has said so, and then stalls again', () => {
    const ledger = new BatchLedger()
    const acting = startedBatch(ledger, plannedChunks([2]))
    ended(ledger, acting, begun(ledger, acting), { kind: 'unknown' })
    const reason = () => ledger.snapshot(acting.batchId).statusReason

    ledger.run((ctx) => decideBatch(ctx, acting.batchId, 'wait'))
    expect(reason()).toBe('waiting_for_provider')
    ledger.pass(60_000)
    expect(reason()).toBe('stalled')
  })

  it('for which the budget has no room any more fails its chunk', () => {
    const ledger = new BatchLedger({ monthly_budget_usd: 0.03 })
    const acting = startedBatch(ledger, plannedChunks([2]))
    lookWork(ledger, acting)
    const order = sent(ledger, acting)
    const usage = { inputTokens: 1, outputTokens: 1 }
    noted(ledger, acting, {
      kind: 'failed',
      ...triedOf(order),
      class: 'invalid_output',
      retryAfterMs: null,
      usage,
    })
    ledger.pass(1000)

    expect(ledger.run((ctx) => beginSubmission(ctx, acting, 0, false))).toEqual({ kind: 'none' })
    expect(ledger.chunk(acting.batchId, 0)?.errors).toEqual({ 0: 'budget_exhausted', 1: 'budget_exhausted' })
    expect(spent(ledger)).toBe(20_000)
  })
})
