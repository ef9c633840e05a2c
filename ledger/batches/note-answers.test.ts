import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { doomedContent } from '../schema.ts'
import { answerTo, BatchLedger, lookWork, plannedChunks, startedBatch, triedOf } from './batches.fixture.ts'
import { decideBatch } from './decide-batch.ts'
import { accepted, ended, noted, sent, spent } from './submissions.fixture.ts'

const logged = vi.spyOn(console, 'log')
beforeAll(() => void logged.mockImplementation(() => undefined))
afterAll(() => vi.restoreAllMocks())

/** How often the batch was said to have stalled. */
const timesStalled = (batchId: string) =>
  logged.mock.calls.filter(([line]) => line.includes('batch.stalled') && line.includes(batchId)).length

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
