import { describe, expect, it } from 'vitest'
import { BatchLedger, callAt, lookWork, plannedChunks, startedBatch } from './batches.fixture.ts'
import { cancelBatch } from './cancel-batch.ts'
import { sweepBatchContent } from './content.ts'
import { unplannedBatch } from './files.fixture.ts'
import { batchManifest, batchParts, readBatch } from './read-batch.ts'
import { finished } from './reruns.fixture.ts'
import { sent } from './submissions.fixture.ts'

const DAY_MS = 86_400_000
const none = { refusal: { code: 'not-found' } }

const manifest = (ledger: BatchLedger, id: string, after: number | null = null, limit = 10) => {
  const page = ledger.run((ctx) => batchManifest(ctx, id, after, limit))
  return page.ok ? { ...page.value, items: page.value.items.map(({ index }) => index) } : page
}

describe('a manifest', () => {
  it('is read a page at a time, to its end', () => {
    const ledger = new BatchLedger()
    const { batchId } = startedBatch(ledger, plannedChunks([2, 2]))

    expect(manifest(ledger, batchId)).toMatchObject({ items: [0, 1, 2, 3], nextAfter: null })
    expect(manifest(ledger, batchId, null, 4)).toMatchObject({ items: [0, 1, 2, 3], nextAfter: null })
    expect(manifest(ledger, batchId, null, 3)).toMatchObject({ items: [0, 1, 2], nextAfter: 2 })
    expect(manifest(ledger, batchId, 2, 3)).toMatchObject({ items: [3], nextAfter: null })
    expect(manifest(ledger, batchId, 9, 3)).toMatchObject({ items: [], nextAfter: null })
  })

  it('is not there before the batch is planned, and never where it ended before', () => {
    const ledger = new BatchLedger()
    const { batchId } = unplannedBatch(ledger)
    expect(manifest(ledger, batchId)).toMatchObject({ refusal: { code: 'manifest-not-ready' } })

    ledger.run((ctx) => cancelBatch(ctx, callAt(ledger.now), batchId))

    expect(manifest(ledger, batchId)).toMatchObject({
      refusal: { code: 'manifest-not-ready', detail: expect.stringContaining('no manifest') },
    })
  })

  it('is of no batch that is not there', () => {
    const ledger = new BatchLedger()

    expect(manifest(ledger, 'batch_none')).toMatchObject(none)
    expect(ledger.run((ctx) => readBatch(ctx, 'batch_none'))).toMatchObject(none)
    expect(ledger.run((ctx) => batchParts(ctx, 'batch_none'))).toMatchObject(none)
  })
})

describe('where results lie', () => {
  const parts = (ledger: BatchLedger, id: string) => {
    const found = ledger.run((ctx) => batchParts(ctx, id))
    return found.ok ? found.value.parts : found
  }
  const week = plannedChunks([1], { retentionSeconds: 7 * 86_400, runs: [[2, 1]] })

  it('is told of chunks that have ended, while the batch runs too', () => {
    const ledger = new BatchLedger()
    const acting = startedBatch(ledger)
    lookWork(ledger, acting)
    sent(ledger, acting)

    expect(parts(ledger, acting.batchId)).toMatchObject([
      { ended: 0, outputRef: null, contentDeleted: false },
      { ended: 0, outputRef: null, contentDeleted: false },
    ])
  })

  it('is nowhere from the moment on at which the content is due, whether it was cleared away or not', () => {
    const ledger = new BatchLedger()
    const { batchId } = finished(ledger, ['ss', 's'], [...plannedChunks([2]), ...week])
    const gone = { outputRef: null, contentDeleted: true }

    ledger.pass(DAY_MS - 1)
    expect(parts(ledger, batchId)).toMatchObject([{ ended: 2, contentDeleted: false }, {}])
    ledger.pass(1)
    expect(parts(ledger, batchId)).toMatchObject([gone, { ended: 1, contentDeleted: false }])
    ledger.run(sweepBatchContent)
    expect(parts(ledger, batchId)).toMatchObject([gone, { ended: 1, contentDeleted: false }])
    ledger.pass(6 * DAY_MS - 1)
    expect(parts(ledger, batchId)).toMatchObject([gone, { contentDeleted: false }])
    ledger.pass(1)
    expect(parts(ledger, batchId)).toMatchObject({ refusal: { code: 'content-deleted' } })
    ledger.run(sweepBatchContent)
    expect(parts(ledger, batchId)).toMatchObject({ refusal: { code: 'content-deleted' } })
  })
})
