import { describe, expect, it } from 'vitest'
import { doomedContent, files, jobs } from '../schema.ts'
import { BatchLedger, callAt, lookWork, plannedChunks, startedBatch } from './batches.fixture.ts'
import { cancelBatch } from './cancel-batch.ts'
import { nextBatchExpiry, sweepBatchContent } from './content.ts'
import { discardBatch } from './discard-batch.ts'
import { FILE_REF, unplannedBatch } from './files.fixture.ts'
import { jobsIn, opened, ran } from './item-jobs.fixture.ts'
import type { Acting } from './protocol.ts'
import { doomed, finished } from './reruns.fixture.ts'
import { updateBatch } from './rows.ts'

const DAY_MS = 86_400_000

const discard = (ledger: BatchLedger, { batchId }: Acting) =>
  ledger.run((ctx) => discardBatch(ctx, callAt(ledger.now), batchId))

describe('the content of a batch', () => {
  it('goes chunk by chunk on the dates of these, and the source with the first of them', () => {
    const ledger = new BatchLedger()
    const week = plannedChunks([1], { retentionSeconds: 7 * 86_400, runs: [[2, 1]] })
    const acting = finished(ledger, ['ss', 's'], [...plannedChunks([2]), ...week])
    const [first, second] = [0, 1].map((chunk) => ledger.chunk(acting.batchId, chunk)?.outputRef)
    expect(nextBatchExpiry(ledger.db)).toBe(ledger.now + DAY_MS)

    ledger.pass(DAY_MS)
    ledger.run(sweepBatchContent)

    expect(doomed(ledger)).toEqual(expect.arrayContaining([first, 't/acme/in/1/source']))
    expect(doomed(ledger)).not.toContain(second)
    expect(ledger.chunk(acting.batchId, 0)).toMatchObject({ contentDeletedAt: ledger.now, outputRef: null })
    expect(nextBatchExpiry(ledger.db)).toBe(ledger.now + 6 * DAY_MS)
    const firstGone = ledger.now
    ledger.pass(6 * DAY_MS)
    ledger.run(sweepBatchContent)

    expect(doomed(ledger)).toContain(second)
    expect(ledger.chunk(acting.batchId, 0)).toMatchObject({ contentDeletedAt: firstGone })
    expect(ledger.row(acting.batchId)).toMatchObject({ contentDeletedAt: ledger.now })
    expect(nextBatchExpiry(ledger.db)).toBeNull()
  })

  it('goes with its parameters when it is discarded, and that only once', () => {
    const ledger = new BatchLedger()
    const acting = finished(ledger, ['s'])
    updateBatch(ledger.db, acting.batchId, { params: '{"max_words":9}' })
    ledger.pass(DAY_MS)
    ledger.run(sweepBatchContent)
    const gone = ledger.row(acting.batchId)
    expect(gone).toMatchObject({ contentDeletedAt: ledger.now, params: null })

    ledger.pass(1000)
    discard(ledger, acting)

    expect(ledger.row(acting.batchId)).toMatchObject({ contentDeletedAt: gone.contentDeletedAt })
  })

  it('goes once more when no step of a Workflow can be writing any longer', () => {
    const ledger = new BatchLedger()
    const acting = finished(ledger, ['s'])
    const folder = `t/acme/batch/${acting.batchId}/`

    discard(ledger, acting)

    const rows = ledger.db.select().from(doomedContent).all()
    expect(rows.find(({ ref }) => ref === folder)?.since).toBeGreaterThanOrEqual(ledger.now + 20 * 60_000)
  })

  it('is that of the jobs of its items too, where these were not put together yet', () => {
    const ledger = new BatchLedger()
    const acting = startedBatch(ledger, plannedChunks([2], { path: 'jobs' }))
    lookWork(ledger, acting)
    opened(ledger, acting)
    const [job] = jobsIn(ledger, acting.batchId)
    if (job) ran(ledger, job, 'succeeds')
    ledger.run((ctx) => cancelBatch(ctx, callAt(ledger.now), acting.batchId))
    const expiring = () => ledger.db.select({ at: jobs.contentExpiresAt }).from(jobs).all()
    expect(expiring()).not.toContainEqual({ at: ledger.now })

    discard(ledger, acting)

    expect(expiring()).toEqual([{ at: ledger.now }, { at: ledger.now }])
  })

  it('has a date where it was never planned, too; the file that it was to be read from stays with its owner', () => {
    const ledger = new BatchLedger()
    const { batchId } = unplannedBatch(ledger)
    ledger.run((ctx) => cancelBatch(ctx, callAt(ledger.now), batchId))
    expect(nextBatchExpiry(ledger.db)).toBe(ledger.now + DAY_MS)

    ledger.pass(DAY_MS)
    ledger.run(sweepBatchContent)

    expect(ledger.row(batchId).contentDeletedAt).toBe(ledger.now)
    expect(doomed(ledger)).not.toContain(FILE_REF)
    expect(ledger.db.select().from(files).all()).toMatchObject([{ ref: FILE_REF }])
  })
})
