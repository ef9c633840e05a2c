import { describe, expect, it } from 'vitest'
import { createFile, deleteFile, sweepFiles } from '../files.ts'
import { keepHouse } from '../housekeeping.ts'
import { mintId, randomBytes } from '../ids.ts'
import { Janitor } from '../janitor.ts'
import { writeMeta } from '../meta.ts'
import {
  batchChunks,
  batches,
  batchFaults,
  batchPages,
  doomedContent,
  files,
  idempotencyKeys,
  jobs,
} from '../schema.ts'
import { acceptBatch } from './accept-batch.ts'
import { BatchLedger, callAt, plannedChunks, requestAt, startedBatch } from './batches.fixture.ts'
import { cancelBatch } from './cancel-batch.ts'
import { updateChunk } from './chunks.ts'
import { sweepBatchContent } from './content.ts'
import { sweepBatchDeadlines } from './deadlines.ts'
import { openItemJobs } from './item-jobs.ts'
import { writeFaults } from './kept-faults.ts'
import { updateBatch } from './rows.ts'

const DAY_MS = 86_400_000

function kept(ledger: BatchLedger): void {
  writeMeta(ledger.db, 'housekeeping', { at: ledger.now, keysAfter: '' })
  ledger.run(keepHouse)
}

const rows = ({ db }: BatchLedger) =>
  [batches, batchChunks, batchPages, batchFaults, idempotencyKeys].map(
    (table) => db.select().from(table).all().length,
  )

describe('rows of a batch', () => {
  it('go with all that belongs to it when they have served their time, and its key before', () => {
    const ledger = new BatchLedger()
    const request = { ...requestAt(ledger.now), call: callAt(ledger.now, 'key') }
    ledger.run((ctx) => acceptBatch(ctx, request))
    writeFaults(ledger.db, request.call.id, { page: 0, faults: [] })
    ledger.pass(2 * DAY_MS)
    kept(ledger)
    expect(rows(ledger)).toEqual([1, 2, 1, 1, 1])
    ledger.run((ctx) => cancelBatch(ctx, callAt(ledger.now), request.call.id))
    kept(ledger)
    expect(rows(ledger)).toEqual([1, 2, 1, 1, 0])

    ledger.pass(103 * DAY_MS)
    kept(ledger)
    expect(rows(ledger)).toEqual([1, 2, 1, 1, 0])
    ledger.run(sweepBatchContent)
    kept(ledger)
    expect(rows(ledger)).toEqual([0, 0, 0, 0, 0])
  })
})

describe('the job of an item', () => {
  it('is on record for 90 days after its end, though it may run for twice the time of a batch', () => {
    const ledger = new BatchLedger()
    const week = { deadlineSeconds: 7 * 86_400 }
    const acting = startedBatch(ledger, plannedChunks([1], { path: 'jobs' }), week)
    const item = { position: 0, input: '{}', inputRef: null, inputTokens: 1, fileIds: [] }
    const tried = { chunk: 0, epoch: 0, tries: 0 }
    ledger.run((ctx) => openItemJobs(ctx, acting, tried, [item]))
    ledger.pass(14 * DAY_MS)
    ledger.run(sweepBatchDeadlines)
    ledger.db.update(jobs).set({ contentDeletedAt: ledger.now }).run()
    const left = () => ledger.db.select({ dueAt: jobs.dueAt }).from(jobs).all()

    ledger.pass(90 * DAY_MS)
    kept(ledger)
    expect(left()).toEqual([{ dueAt: null }])
    ledger.pass(DAY_MS)
    kept(ledger)
    expect(left()).toEqual([])
  })
})

describe('the file that a batch reads its items from', () => {
  it('is deleted when the batch has ended, if its owner deleted it before', () => {
    const ledger = new BatchLedger()
    const fileId = mintId('file', 0, ledger.now, randomBytes)
    const file = { id: fileId, ref: 'the-file', contentType: 'application/x-ndjson', bytes: 9, sha256: '0' }
    ledger.run((ctx) => createFile(ctx, { ...file, createdBy: 'c', retentionSeconds: 60, key: null }))
    const request = { ...requestAt(ledger.now), source: { kind: 'file', fileId } as const }
    ledger.run((ctx) => acceptBatch(ctx, request))

    ledger.run((ctx) => deleteFile(ctx, fileId))
    ledger.pass(DAY_MS)
    ledger.run((ctx) => void sweepFiles(ctx))
    expect(ledger.db.select().from(files).all()).toHaveLength(1)
    ledger.run((ctx) => cancelBatch(ctx, callAt(ledger.now), request.call.id))

    expect(ledger.db.select().from(files).all()).toEqual([])
    expect(ledger.db.select().from(doomedContent).all()).toMatchObject([{ ref: 'the-file' }])
  })
})

describe('a look for outputs that no row names', () => {
  it('leaves those of chunks, and of batches that are worked for or were a day ago', async () => {
    const ledger = new BatchLedger()
    const [ended, open] = [startedBatch(ledger), startedBatch(ledger, [], { processingVersion: '2' })]
    const keyOf = (batchId: string, name: string) => `t/acme/batch/${batchId}/0/${name}`
    updateChunk(ledger.db, { batchId: ended.batchId, chunk: 0 }, { outputRef: keyOf(ended.batchId, '0-2') })
    updateBatch(ledger.db, ended.batchId, { dueAt: null, progressAt: ledger.now - DAY_MS - 1 })
    const keys = [
      keyOf(ended.batchId, '0-1'),
      keyOf(ended.batchId, '0-2'),
      keyOf(open.batchId, '0-1'),
      keyOf('batch_none', '0-1'),
    ]
    const bucket = {
      list: async ({ prefix = '', startAfter = '' }) => ({
        objects: keys.filter((key) => key.startsWith(prefix) && key > startAfter).map((key) => ({ key })),
        truncated: false,
      }),
    } as unknown as R2Bucket
    const janitor = new Janitor(ledger.db, bucket, (body) => ledger.run(body))
    writeMeta(ledger.db, 'strayOutputs', { at: ledger.now, after: '' })

    janitor.look('acme', ledger.now)
    await new Promise((resolve) => setTimeout(resolve, 20))

    const doomed = ledger.db.select().from(doomedContent).all()
    expect(doomed.map(({ ref }) => ref).sort()).toEqual([keys[0], keys[3]].sort())
  })
})
