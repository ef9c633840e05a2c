import { describe, expect, it } from 'vitest'
import { BatchLedger, callAt, plannedChunks, START, startedBatch } from './batches.fixture.ts'
import { cancelBatch } from './cancel-batch.ts'
import { nextBatchExpiry, sweepBatchContent } from './content.ts'
import { discardBatch } from './discard-batch.ts'
import { batchParts } from './read-batch.ts'
import { batchItems } from './read-items.ts'
import { doomed, finished, refusedWith, rerun } from './reruns.fixture.ts'

describe('discarding', () => {
  it('deletes results and source, keeps what the batch was, and changes nothing the second time', () => {
    const ledger = new BatchLedger()
    const { batchId } = finished(ledger, ['sf'])
    const discarded = () => ledger.run((ctx) => discardBatch(ctx, callAt(ledger.now), batchId))

    expect(discarded()).toMatchObject({ value: { value: { status: 'discarded', counts: { succeeded: 1 } } } })
    const row = ledger.row(batchId)
    ledger.pass(1000)
    expect(discarded()).toMatchObject({ ok: true })

    expect(ledger.row(batchId)).toEqual(row)
    expect(doomed(ledger)).toEqual(
      expect.arrayContaining(['t/acme/in/1/source', 't/acme/batch/x/0/0-1', `t/acme/batch/${batchId}/`]),
    )
    expect(ledger.run((ctx) => batchParts(ctx, batchId))).toMatchObject(refusedWith('content-deleted'))
    expect(
      ledger.run((ctx) => batchItems(ctx, batchId, { status: 'failed', after: null, limit: 10 })),
    ).toMatchObject({ value: { items: [{ index: 1, errorClass: 'missing_result' }], nextAfter: null } })
  })

  it('is for batches that have ended', () => {
    const ledger = new BatchLedger()
    const { batchId } = startedBatch(ledger)
    const discarded = () => ledger.run((ctx) => discardBatch(ctx, callAt(ledger.now), batchId))

    expect(discarded()).toMatchObject(refusedWith('batch-not-settled'))
    ledger.run((ctx) => cancelBatch(ctx, callAt(ledger.now), batchId))
    expect(discarded()).toMatchObject({ ok: true })
  })

  it('leaves the source to a rerun that needs it', () => {
    const ledger = new BatchLedger()
    const acting = finished(ledger, ['sf'])
    rerun(ledger, acting)

    ledger.run((ctx) => discardBatch(ctx, callAt(ledger.now), acting.batchId))

    expect(doomed(ledger)).not.toContain('t/acme/in/1/source')
  })
})

describe('the content of a batch', () => {
  it('goes chunk by chunk on its dates, the source with the first', () => {
    const ledger = new BatchLedger()
    const [brief, long] = plannedChunks([2, 2])
    if (!brief || !long) throw new Error('Two chunks were planned.')
    const acting = finished(ledger, ['ss', 'sf'], [{ ...brief, retentionSeconds: 60 }, long])
    expect(nextBatchExpiry(ledger.db)).toBe(START + 60_000)

    ledger.pass(60_000)
    expect(ledger.run((ctx) => batchParts(ctx, acting.batchId))).toMatchObject({
      value: {
        parts: [
          { outputRef: null, contentDeleted: true },
          { outputRef: 't/acme/batch/x/1/0-1', contentDeleted: false },
        ],
      },
    })
    ledger.run(sweepBatchContent)
    ledger.run(sweepBatchContent)

    expect(doomed(ledger)).toEqual(
      expect.arrayContaining([
        't/acme/batch/x/0/0-1',
        't/acme/in/1/source',
        `t/acme/batch/${acting.batchId}/0/`,
      ]),
    )
    expect(doomed(ledger)).toHaveLength(3)
    expect(rerun(ledger, acting)).toMatchObject(refusedWith('content-deleted'))
    expect(nextBatchExpiry(ledger.db)).toBe(START + 86_400_000)

    ledger.pass(86_400_000)
    ledger.run(sweepBatchContent)
    expect(nextBatchExpiry(ledger.db)).toBeNull()
    expect(ledger.snapshot(acting.batchId)).toMatchObject({
      status: 'partially_failed',
      counts: { succeeded: 3 },
    })
    expect(ledger.run((ctx) => batchParts(ctx, acting.batchId))).toMatchObject(refusedWith('content-deleted'))
  })
})
