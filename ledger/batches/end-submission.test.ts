import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { answerTo, BatchLedger, lookWork, plannedChunks, startedBatch, triedOf } from './batches.fixture.ts'
import { endSubmission } from './end-submission.ts'
import type { Acting } from './protocol.ts'
import { accepted, begun, ended, noted, sent, spent } from './submissions.fixture.ts'

beforeAll(() => void vi.spyOn(console, 'log').mockImplementation(() => undefined))
afterAll(() => vi.restoreAllMocks())

function batch(ledger: BatchLedger): Acting {
  const acting = startedBatch(ledger, plannedChunks([2]))
  lookWork(ledger, acting)
  return acting
}

const absent = { kind: 'absent' } as const

describe('the outcome of a submission', () => {
  it.each([
    ['failed', { kind: 'failed', class: 'permission_denied', retryAfterMs: null }],
    ['unknown', { kind: 'unknown' }],
    ['accepted', { kind: 'accepted', providerRequestId: 'old' }],
    ['absent', absent],
  ] as const)('of an earlier try (%s) says nothing of the present one', (_, outcome) => {
    const ledger = new BatchLedger()
    const acting = batch(ledger)
    const first = begun(ledger, acting)
    ended(ledger, acting, first, absent)
    ledger.pass(1000)
    const second = begun(ledger, acting)

    ended(ledger, acting, first, outcome)

    expect(ledger.chunk(acting.batchId, 0)).toMatchObject({
      ...{ state: 'submitting', tries: second.tries, providerRequestId: null },
    })
  })

  it('that it was taken after all is heard while it waits to be sent again, and it is not sent twice', () => {
    const ledger = new BatchLedger()
    const acting = batch(ledger)
    const order = begun(ledger, acting)
    ended(ledger, acting, order, absent)
    expect(ledger.chunk(acting.batchId, 0)).toMatchObject({ state: 'planned' })

    ended(ledger, acting, order, accepted)
    ledger.pass(1000)

    expect(ledger.chunk(acting.batchId, 0)).toMatchObject({ state: 'submitted', providerRequestId: 'req-1' })
    expect(lookWork(ledger, acting)).toMatchObject({ submit: [], poll: [0] })
  })

  it('begins the looks at the provider anew, the first no later than it counts as stalled', () => {
    const ledger = new BatchLedger()
    const acting = batch(ledger)
    const first = sent(ledger, acting)
    noted(ledger, acting, { kind: 'pending', ...triedOf(first) })
    const lost = { class: 'timeout', retryAfterMs: null, usage: null } as const
    noted(ledger, acting, { kind: 'failed', ...triedOf(first), ...lost })
    ledger.pass(1000)
    const second = begun(ledger, acting)

    ledger.run((ctx) => {
      const settings = { ...ctx.settings, batchStalledMs: 100 }
      return endSubmission({ ...ctx, settings }, acting, triedOf(second), accepted)
    })

    expect(ledger.chunk(acting.batchId, 0)).toMatchObject({
      ...{ polls: 0, dueAt: ledger.now + 100, stalledAt: ledger.now + 100 },
    })
  })
})

describe('an answer', () => {
  it('is kept with what was found in it', () => {
    const ledger = new BatchLedger()
    const acting = batch(ledger)
    const findings = { unknown: 1, missing: [], duplicate: [], empty: [], invalid: [], unfounded: ['r1'] }

    noted(ledger, acting, answerTo(sent(ledger, acting), 'ss', { findings }))

    expect(ledger.chunk(acting.batchId, 0)).toMatchObject({ findings })
  })

  it('that comes too late with figures that make no sense costs what was expected', () => {
    const ledger = new BatchLedger()
    const acting = batch(ledger)
    const first = begun(ledger, acting)
    ended(ledger, acting, first, absent)
    ledger.pass(1000)
    begun(ledger, acting)

    noted(ledger, acting, answerTo(first, 'ss', { usage: { inputTokens: -5, outputTokens: 1 } }))

    expect(ledger.chunk(acting.batchId, 0)).toMatchObject({ inputTokens: 0, outputTokens: 0 })
    expect(spent(ledger)).toBe(20_000)
  })
})
