import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { deadLetterOutbox, doomedContent, spend } from '../schema.ts'
import { answerTo, BatchLedger, lookWork, plannedChunks, startedBatch, triedOf } from './batches.fixture.ts'
import { beginSubmission } from './begin-submission.ts'
import { decideBatch } from './decide-batch.ts'
import { endSubmission } from './end-submission.ts'
import { nextInstance } from './instances.ts'
import { lookAtBatch } from './look-at-batch.ts'
import { noteAnswers } from './note-answers.ts'
import { pollOrders } from './orders.ts'
import type { Acting, ChunkOrder, Polled, SubmissionOutcome } from './protocol.ts'

const logged = vi.spyOn(console, 'log')
beforeAll(() => void logged.mockImplementation(() => undefined))
afterAll(() => vi.restoreAllMocks())

/** How often the batch was said to have stalled. */
const timesStalled = (batchId: string) =>
  logged.mock.calls.filter(([line]) => line.includes('batch.stalled') && line.includes(batchId)).length

const begun = (ledger: BatchLedger, acting: Acting, chunk = 0): ChunkOrder => {
  const submission = ledger.run((ctx) => beginSubmission(ctx, acting, chunk, false))
  if (submission.kind === 'none') throw new Error('Nothing to submit.')
  return submission.order
}

const ended = (ledger: BatchLedger, acting: Acting, order: ChunkOrder, outcome: SubmissionOutcome) =>
  ledger.run((ctx) => endSubmission(ctx, acting, triedOf(order), outcome))

const accepted = { kind: 'accepted', providerRequestId: 'req-1' } as const
const failed = (name: 'rate_limited' | 'permission_denied') =>
  ({ kind: 'failed', class: name, retryAfterMs: null }) as const

/** A chunk that is at its provider. */
function sent(ledger: BatchLedger, acting: Acting, chunk = 0): ChunkOrder {
  const order = begun(ledger, acting, chunk)
  ended(ledger, acting, order, { ...accepted, providerRequestId: `req-${chunk}` })
  return order
}

const noted = (ledger: BatchLedger, acting: Acting, ...polled: Polled[]) =>
  ledger.run((ctx) => noteAnswers(ctx, acting, polled))

const spent = (ledger: BatchLedger) => ledger.db.select().from(spend).get()?.microUsd ?? 0

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

describe('an answer', () => {
  it('that comes twice changes nothing the second time', () => {
    const ledger = new BatchLedger()
    const acting = startedBatch(ledger)
    const order = sent(ledger, acting)
    noted(ledger, acting, answerTo(order, 'sf'))
    const before = ledger.chunk(acting.batchId, 0)

    noted(ledger, acting, answerTo(order, 'sf'))
    noted(ledger, acting, answerTo(order, 'ff'))
    ended(ledger, acting, order, accepted)

    expect(ledger.chunk(acting.batchId, 0)).toEqual(before)
    expect(ledger.db.select().from(doomedContent).all()).toEqual([])
    expect(spent(ledger)).toBe(20_000)
  })

  it('to an earlier try only costs, and its output is to go', () => {
    const ledger = new BatchLedger()
    const acting = startedBatch(ledger)
    const first = sent(ledger, acting)
    noted(ledger, acting, {
      kind: 'failed',
      ...triedOf(first),
      class: 'timeout',
      retryAfterMs: null,
      usage: null,
    })
    ledger.pass(1000)
    const second = sent(ledger, acting)

    noted(ledger, acting, answerTo(first, 'ss'))
    expect(ledger.snapshot(acting.batchId).counts).toMatchObject({ pending: 4 })
    expect(ledger.db.select().from(doomedContent).all()).toMatchObject([{ ref: 't/acme/batch/x/0/0-1' }])
    noted(ledger, acting, answerTo(second, 'ss'))

    expect(ledger.snapshot(acting.batchId).counts).toMatchObject({ succeeded: 2 })
    expect(spent(ledger)).toBe(40_000)
  })

  it('that does not fit its chunk is a fault', () => {
    const ledger = new BatchLedger()
    const acting = startedBatch(ledger)
    const order = sent(ledger, acting)

    for (const statuses of ['s', 'sss', 'sp'])
      expect(() => noted(ledger, acting, answerTo(order, statuses))).toThrow('does not fit')
  })

  it('is polled for at growing intervals, and counts as stalled after a while', () => {
    const ledger = new BatchLedger()
    const acting = startedBatch(ledger, plannedChunks([2]))
    lookWork(ledger, acting)
    const order = sent(ledger, acting)
    const waits: (number | null)[] = []

    for (let poll = 0; poll < 4; poll++) {
      const { waitMs } = lookWork(ledger, acting)
      waits.push(waitMs)
      ledger.pass(waitMs ?? 0)
      noted(ledger, acting, { kind: 'pending', ...triedOf(order) })
    }

    expect(waits).toEqual([1000, 1500, 2250, 3375])
    ledger.pass(60_000)
    expect(ledger.snapshot(acting.batchId).statusReason).toBe('stalled')
  })

  it('that keeps it waiting for too long is logged once, and once more after a decision to wait', () => {
    const ledger = new BatchLedger()
    const acting = startedBatch(ledger, plannedChunks([2]))
    const order = sent(ledger, acting)
    const pollUntil = (end: number) => {
      while (ledger.now < end) {
        ledger.pass(lookWork(ledger, acting).waitMs ?? 0)
        noted(ledger, acting, { kind: 'pending', ...triedOf(order) })
      }
    }

    pollUntil(ledger.now + 59_999)
    const told = [timesStalled(acting.batchId)]
    pollUntil(ledger.now + 50_000)
    told.push(timesStalled(acting.batchId))
    ledger.run((ctx) => decideBatch(ctx, acting.batchId, 'wait'))
    pollUntil(ledger.now + 120_000)
    told.push(timesStalled(acting.batchId))

    expect(told).toEqual([1, 1, 2])
  })
})

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

describe('a batch of a suspended tenant', () => {
  it('gets nothing new to send', () => {
    const ledger = new BatchLedger()
    const acting = startedBatch(ledger)

    expect(ledger.run((ctx) => lookAtBatch(ctx, acting, true))).toMatchObject({ submit: [] })
  })
})
