import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import {
  answerTo,
  BatchLedger,
  callAt,
  lookWork,
  plannedChunks,
  startedBatch,
  triedOf,
} from './batches.fixture.ts'
import { cancelBatch } from './cancel-batch.ts'
import { decideBatch } from './decide-batch.ts'
import { endSubmission } from './end-submission.ts'
import { lookAtBatch } from './look-at-batch.ts'
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
    ['accepted', { kind: 'accepted', providerRequestId: 'old' }, 20_000],
    ['failed', { kind: 'failed', class: 'permission_denied', retryAfterMs: null }, 0],
    ['unknown', { kind: 'unknown' }, 0],
    ['absent', absent, 0],
  ] as const)('of an earlier try (%s) says nothing of the present one', (_, outcome, cost) => {
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
    expect(spent(ledger)).toBe(cost)
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
    expect(ledger.chunk(acting.batchId, 0)).toMatchObject({ state: 'planned', stalledAt: null })
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

describe('a submission that was taken after it had been given up', () => {
  const callOffs = (ledger: BatchLedger, { batchId }: Acting) => ledger.chunk(batchId, 0)?.callOffs

  it.each<[string, (ledger: BatchLedger, acting: Acting) => unknown]>([
    [
      'cancelled',
      (ledger, { batchId }) => ledger.run((ctx) => cancelBatch(ctx, callAt(ledger.now), batchId)),
    ],
    [
      'run singly',
      (ledger, { batchId }) => ledger.run((ctx) => decideBatch(ctx, batchId, 'run_individually')),
    ],
  ])('because it was to be %s, is called off by its name, though all was thought to be done', (_, giveUp) => {
    const ledger = new BatchLedger()
    const acting = batch(ledger)
    const order = begun(ledger, acting)
    giveUp(ledger, acting)
    for (let look = 0; look < 3; look++) ledger.run((ctx) => lookAtBatch(ctx, acting, false))
    expect(callOffs(ledger, acting)).toBe(0)
    const { dueAt } = ledger.row(acting.batchId)
    ledger.woken.clear()

    ended(ledger, acting, order, accepted)

    expect(ledger.chunk(acting.batchId, 0)).toMatchObject({ providerRequestId: 'req-1', callOffs: 2 })
    expect([...ledger.woken]).toEqual([acting.batchId])
    expect(ledger.row(acting.batchId).dueAt).toBe(dueAt ?? ledger.now + 30_000)
    expect(lookWork(ledger, acting).callOff).toEqual([0])
    ended(ledger, acting, order, accepted)
    expect(callOffs(ledger, acting)).toBe(1)
    expect(spent(ledger)).toBe(20_000)
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
