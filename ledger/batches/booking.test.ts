import { describe, expect, it } from 'vitest'
import { monthOf } from '../budget.ts'
import { spend, usageDays } from '../schema.ts'
import type { TokenUsage } from '../usage.ts'
import { answerTo, BatchLedger, lookWork, plannedChunks, startedBatch, triedOf } from './batches.fixture.ts'
import type { ChunkOrder, Polled } from './protocol.ts'
import { begun, noted, sent, spent } from './submissions.fixture.ts'

type Usage = TokenUsage | 'unknown' | null

const brokenOff = (order: ChunkOrder, usage: Usage): Polled => ({
  kind: 'failed',
  class: 'timeout',
  retryAfterMs: null,
  usage,
  ...triedOf(order),
})

/** A batch of one chunk, of two items, that is out. */
function out(ledger: BatchLedger, deadlineSeconds = 3600) {
  const acting = startedBatch(ledger, plannedChunks([2]), { deadlineSeconds })
  lookWork(ledger, acting)
  return { acting, order: sent(ledger, acting) }
}

const tokens = (inputTokens: number, outputTokens: number) => ({ inputTokens, outputTokens })

describe('what a chunk costs', () => {
  it('adds up over its tries, and is counted among the usage of the day', () => {
    const ledger = new BatchLedger()
    const { acting, order } = out(ledger)
    noted(ledger, acting, brokenOff(order, tokens(7, 3)))
    ledger.pass(1000)
    noted(ledger, acting, answerTo(sent(ledger, acting), 'sf'))

    const used = { inputTokens: 17, outputTokens: 8, costMicroUsd: 40_000 }
    expect(ledger.chunk(acting.batchId, 0)).toMatchObject(used)
    expect(ledger.snapshot(acting.batchId).usage).toEqual(used)
    const counts = {
      items: { succeeded: 1, failed: 1, cancelled: 0, expired: 0 },
      failures: { missing_result: 1 },
    }
    const day = { kind: 'summarize', model: 'test/priced', day: 20261130, jobs: 0 }
    expect(ledger.db.select().from(usageDays).all()).toEqual([
      { ...day, items: 2, succeeded: 1, failed: 1, ...used, changes: 2, counts },
    ])
  })

  it('of an earlier try leaves what is set aside for the present one', () => {
    const ledger = new BatchLedger()
    const { acting, order } = out(ledger)
    noted(ledger, acting, brokenOff(order, null))
    ledger.pass(1000)
    begun(ledger, acting)

    noted(ledger, acting, answerTo(order, 'ss'))

    expect(ledger.chunk(acting.batchId, 0)).toMatchObject({ costMicroUsd: 20_000, reservedMicroUsd: 20_000 })
  })

  it('is charged to the month in which it was set aside', () => {
    const ledger = new BatchLedger()
    const november = monthOf(ledger.now)
    const { acting, order } = out(ledger, 3 * 86_400)

    ledger.pass(2 * 86_400_000)
    noted(ledger, acting, answerTo(order, 'ss'))

    expect(ledger.db.select().from(spend).all()).toEqual([{ month: november, microUsd: 20_000 }])
  })

  it.each<[string, TokenUsage, TokenUsage]>([
    ['counts that can be', tokens(50_000_000_000, 0), tokens(50_000_000_000, 0)],
    ['a negative count', tokens(-1, 5), tokens(0, 0)],
    ['a count that is none', tokens(1, 0.5), tokens(0, 0)],
    ['more than there can be', tokens(1, 50_000_000_001), tokens(0, 0)],
  ])('with %s is what it says, or unknown', (_, told, counted) => {
    const ledger = new BatchLedger()
    const { acting, order } = out(ledger)

    noted(ledger, acting, answerTo(order, 'ss', { usage: told }))

    expect(ledger.chunk(acting.batchId, 0)).toMatchObject(counted)
    expect(spent(ledger)).toBe(20_000)
  })
})
