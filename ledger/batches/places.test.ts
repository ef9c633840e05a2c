import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { BatchLedger, callAt, lookWork, plannedChunks, startedBatch } from './batches.fixture.ts'
import { beginSubmission } from './begin-submission.ts'
import { cancelBatch } from './cancel-batch.ts'
import { decideBatch } from './decide-batch.ts'
import { opened } from './item-jobs.fixture.ts'
import { freePlaces } from './places.ts'
import type { Acting } from './protocol.ts'
import { begun, ended, sent } from './submissions.fixture.ts'

beforeAll(() => void vi.spyOn(console, 'log').mockImplementation(() => undefined))
afterAll(() => vi.restoreAllMocks())

const PLACES = 2
const free = (ledger: BatchLedger) => ledger.run(freePlaces)

const batch = (ledger: BatchLedger, version: string, more: Parameters<typeof plannedChunks>[1] = {}) => {
  const acting = startedBatch(ledger, plannedChunks([2], more), { processingVersion: version })
  lookWork(ledger, acting)
  return acting
}

const cancel = (ledger: BatchLedger, { batchId }: Acting) =>
  ledger.run((ctx) => cancelBatch(ctx, callAt(ledger.now), batchId))

describe('a place of a chunk at a provider', () => {
  it('is taken from the intent on, until nobody waits for the chunk any more', () => {
    const ledger = new BatchLedger({ max_batch_chunks: PLACES })
    const acting = batch(ledger, '1')
    expect(free(ledger)).toBe(PLACES)

    const order = begun(ledger, acting)
    expect(free(ledger)).toBe(PLACES - 1)
    ended(ledger, acting, order, { kind: 'accepted', providerRequestId: 'req' })
    expect(free(ledger)).toBe(PLACES - 1)
    cancel(ledger, acting)

    expect(free(ledger)).toBe(PLACES)
  })

  it('is taken by no chunk whose items run as jobs', () => {
    const ledger = new BatchLedger({ max_batch_chunks: PLACES })
    opened(ledger, batch(ledger, '1', { path: 'jobs' }))

    expect(free(ledger)).toBe(PLACES)
  })

  it.each<[string, (ledger: BatchLedger, acting: Acting) => unknown]>([
    ['is cancelled', cancel],
    [
      'runs singly',
      (ledger, { batchId }) => ledger.run((ctx) => decideBatch(ctx, batchId, 'run_individually')),
    ],
  ])('is free where the batch %s, and those that wait for one are told', (_, leave) => {
    const ledger = new BatchLedger({ max_batch_chunks: 1 })
    const [first, second] = [batch(ledger, '1'), batch(ledger, '2')]
    sent(ledger, first)
    ledger.woken.clear()

    leave(ledger, first)

    expect([...ledger.woken].sort()).toEqual([first.batchId, second.batchId].sort())
  })

  it.each([
    ['was refused for a while', { kind: 'failed', class: 'rate_limited', retryAfterMs: null }],
    ['was refused for good', { kind: 'failed', class: 'permission_denied', retryAfterMs: null }],
    ['never arrived', { kind: 'absent' }],
    ['is unknown', { kind: 'unknown' }],
  ] as const)('is free where the submission %s, and those that wait for one are told', (_, outcome) => {
    const ledger = new BatchLedger({ max_batch_chunks: 1 })
    const [first, second] = [batch(ledger, '1'), batch(ledger, '2')]
    const order = begun(ledger, first)
    expect(ledger.run((ctx) => beginSubmission(ctx, second, 0, false))).toEqual({ kind: 'none' })
    ledger.woken.clear()

    ended(ledger, first, order, outcome)

    expect([...ledger.woken]).toContain(second.batchId)
    expect(free(ledger)).toBe(1)
  })

  it('does not come free by the end of jobs', () => {
    const ledger = new BatchLedger({ max_batch_chunks: 1 })
    const [single] = [batch(ledger, '1', { path: 'jobs' }), batch(ledger, '2')]
    opened(ledger, single)
    ledger.woken.clear()

    cancel(ledger, single)

    expect([...ledger.woken]).toEqual([single.batchId])
  })
})
