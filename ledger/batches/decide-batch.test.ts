import { describe, expect, it } from 'vitest'
import { answerTo, BatchLedger, callAt, lookWork, plannedChunks, startedBatch } from './batches.fixture.ts'
import { cancelBatch } from './cancel-batch.ts'
import { updateChunk } from './chunks.ts'
import { decideBatch, listStalledBatches } from './decide-batch.ts'
import { opened } from './item-jobs.fixture.ts'
import type { Acting } from './protocol.ts'
import { noted, sent } from './submissions.fixture.ts'

const STALLED_MS = 60_000

const stalled = (ledger: BatchLedger) =>
  ledger.run(listStalledBatches).map(({ batch, chunks }) => [batch.id, chunks.map(({ chunk }) => chunk)])

/** A batch whose chunks are all out. */
function out(ledger: BatchLedger, chunks: number, version = '1'): Acting {
  const acting = startedBatch(ledger, plannedChunks(new Array(chunks).fill(2)), {
    processingVersion: version,
  })
  lookWork(ledger, acting)
  for (let chunk = 0; chunk < chunks; chunk++) sent(ledger, acting, chunk)
  return acting
}

const wait = (ledger: BatchLedger, { batchId }: Acting) =>
  ledger.run((ctx) => decideBatch(ctx, batchId, 'wait'))

describe('batches that operators are shown', () => {
  it('are those with a chunk that has been out for too long, from that moment on, the longest first', () => {
    const ledger = new BatchLedger()
    const first = out(ledger, 1)
    ledger.pass(1000)
    const second = out(ledger, 1, '2')

    ledger.pass(STALLED_MS - 1001)
    expect(stalled(ledger)).toEqual([])
    ledger.pass(1)
    expect(stalled(ledger)).toEqual([[first.batchId, [0]]])
    ledger.pass(1000)
    expect(stalled(ledger)).toEqual([
      [first.batchId, [0]],
      [second.batchId, [0]],
    ])
  })

  it('do not count what was not sent yet, or runs singly', () => {
    const ledger = new BatchLedger()
    const acting = startedBatch(ledger)
    updateChunk(ledger.db, { batchId: acting.batchId, chunk: 1 }, { path: 'jobs', stalledAt: ledger.now })

    expect(stalled(ledger)).toEqual([])
  })

  it('do not count what has been answered, nor a batch that has ended', () => {
    const ledger = new BatchLedger()
    const acting = startedBatch(ledger)
    lookWork(ledger, acting)
    const answered = sent(ledger, acting, 0)
    sent(ledger, acting, 1)
    ledger.pass(STALLED_MS)
    noted(ledger, acting, answerTo(answered, 'ss'))
    expect(stalled(ledger)).toEqual([[acting.batchId, [1]]])

    ledger.run((ctx) => cancelBatch(ctx, callAt(ledger.now), acting.batchId))

    expect(stalled(ledger)).toEqual([])
  })
})

describe('a decision to wait', () => {
  it('is about chunks that are stalled, and wakes the Workflow', () => {
    const ledger = new BatchLedger()
    const acting = startedBatch(ledger)
    lookWork(ledger, acting)
    sent(ledger, acting, 0)
    ledger.pass(STALLED_MS)
    sent(ledger, acting, 1)
    const { dueAt, stalledAt } = ledger.chunk(acting.batchId, 1) ?? {}
    ledger.pass(1)
    ledger.woken.clear()

    wait(ledger, acting)

    expect(ledger.chunk(acting.batchId, 0)).toMatchObject({ stalledAt: ledger.now + STALLED_MS })
    expect(ledger.chunk(acting.batchId, 1)).toMatchObject({ dueAt, stalledAt })
    expect([...ledger.woken]).toEqual([acting.batchId])
  })

  it('looks no later than the chunk counts as stalled again', () => {
    const ledger = new BatchLedger()
    const acting = out(ledger, 1)
    ledger.pass(STALLED_MS)
    const late = ledger.now + 2 * STALLED_MS
    updateChunk(ledger.db, { batchId: acting.batchId, chunk: 0 }, { dueAt: late })

    wait(ledger, acting)

    expect(ledger.chunk(acting.batchId, 0)?.dueAt).toBe(ledger.now + STALLED_MS)
  })

  it('comes too late for a batch that has ended', () => {
    const ledger = new BatchLedger()
    const acting = out(ledger, 1)
    ledger.run((ctx) => cancelBatch(ctx, callAt(ledger.now), acting.batchId))
    ledger.woken.clear()

    expect(wait(ledger, acting)).toMatchObject({ refusal: { code: 'batch-settled' } })
    expect([...ledger.woken]).toEqual([])
  })
})

describe('a decision to run singly', () => {
  it('that comes twice changes nothing the second time', () => {
    const ledger = new BatchLedger()
    const acting = out(ledger, 1)
    const decide = () => ledger.run((ctx) => decideBatch(ctx, acting.batchId, 'run_individually'))
    decide()
    opened(ledger, acting)
    const row = ledger.chunk(acting.batchId, 0)

    decide()

    expect(row).toMatchObject({ path: 'jobs', state: 'submitted', epoch: 1, stalledAt: null })
    expect(ledger.chunk(acting.batchId, 0)).toEqual(row)
  })

  it('leaves what was collected', () => {
    const ledger = new BatchLedger()
    const acting = startedBatch(ledger)
    lookWork(ledger, acting)
    noted(ledger, acting, answerTo(sent(ledger, acting), 'ss'))
    const row = ledger.chunk(acting.batchId, 0)

    ledger.run((ctx) => decideBatch(ctx, acting.batchId, 'run_individually'))

    expect(ledger.chunk(acting.batchId, 0)).toEqual(row)
    expect(ledger.chunk(acting.batchId, 1)).toMatchObject({ path: 'jobs', state: 'planned' })
  })
})
