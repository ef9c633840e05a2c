import { describe, expect, it } from 'vitest'
import { createFile, deleteFile } from '../files.ts'
import { mintId, randomBytes } from '../ids.ts'
import { contentRefs } from '../schema.ts'
import { BatchLedger, callAt, planOf, startedBatch } from './batches.fixture.ts'
import { cancelBatch } from './cancel-batch.ts'
import { discardBatch } from './discard-batch.ts'
import { nextInstance } from './instances.ts'
import { sealPlan } from './keep-plan.ts'
import { lookAtBatch } from './look-at-batch.ts'
import type { RerunOrder } from './rerun-batch.ts'
import { finished, refusedWith, rerun } from './reruns.fixture.ts'

describe('a rerun', () => {
  it('of what is incomplete takes the lines of items that did not succeed, over the same source', () => {
    const ledger = new BatchLedger()
    const acting = finished(ledger, ['sff', 'sfs'])

    const outcome = rerun(ledger, acting)

    const made = outcome.ok ? outcome.value.value : null
    expect(made).toMatchObject({ status: 'accepted', parentBatchId: acting.batchId, createdBy: 'other' })
    const next = { batchId: made?.id ?? '', instance: 1 }
    ledger.run((ctx) => nextInstance(ctx, next.batchId, 0))
    expect(ledger.run((ctx) => lookAtBatch(ctx, next, false))).toMatchObject({
      kind: 'copy',
      order: {
        from: 't/acme/in/1/source',
        lines: [
          [2, 2],
          [5, 1],
        ],
      },
    })
    expect(ledger.db.select().from(contentRefs).all()).toHaveLength(2)
  })

  it('of all takes every line, under another version or model', () => {
    const ledger = new BatchLedger()
    const acting = finished(ledger, ['sff'])
    const mode = 'recompute_all'

    expect(rerun(ledger, acting, { mode })).toMatchObject({
      refusal: { code: 'invalid-request', errors: [{ pointer: '/processing_version' }] },
    })
    expect(rerun(ledger, acting, { mode, processingVersion: '2' }).ok).toBe(true)
    expect(rerun(ledger, acting, { mode, model: 'embedded/extract-1' })).toMatchObject({
      value: { value: { model: 'embedded/extract-1', provider: 'embedded' } },
    })
  })

  it('is made once under its key', () => {
    const ledger = new BatchLedger()
    const acting = finished(ledger, ['sf'])

    const [first, second] = [rerun(ledger, acting, {}, 'key'), rerun(ledger, acting, {}, 'key')]

    expect(second).toMatchObject({ value: { replayed: true, value: first.ok ? first.value.value : null } })
  })

  it.each<[string, Partial<RerunOrder>, string]>([
    ['/model', { model: 'test/none' }, 'unknown'],
    ['/model', { model: 'embedded/hash-1' }, 'another kind'],
  ])('is refused at %s for %o', (pointer, more) => {
    const ledger = new BatchLedger()
    const acting = finished(ledger, ['sf'])

    expect(rerun(ledger, acting, more)).toMatchObject({ refusal: { errors: [{ pointer }] } })
  })

  it('is refused for a batch that has not ended, lacks nothing, or whose content is gone', () => {
    const ledger = new BatchLedger()
    const [whole, gone, open] = [finished(ledger, ['ss']), finished(ledger, ['sf']), startedBatch(ledger)]
    ledger.run((ctx) => discardBatch(ctx, callAt(ledger.now), gone.batchId))

    expect(rerun(ledger, open)).toMatchObject(refusedWith('batch-not-settled'))
    expect(rerun(ledger, whole)).toMatchObject({ refusal: { errors: [{ pointer: '/mode' }] } })
    expect(rerun(ledger, gone)).toMatchObject(refusedWith('content-deleted'))
    expect(rerun(ledger, { ...open, batchId: 'batch_none' })).toMatchObject(refusedWith('not-found'))
  })
})

/** A file of items that its owner can delete, and a batch over it. */
function overFile(ledger: BatchLedger) {
  const fileId = mintId('file', 0, ledger.now, randomBytes)
  const file = { id: fileId, ref: 'the-file', contentType: 'application/x-ndjson', bytes: 9, sha256: '0' }
  ledger.run((ctx) => createFile(ctx, { ...file, createdBy: 'c', retentionSeconds: 86_400, key: null }))
  const acting = startedBatch(ledger, [], { source: { kind: 'file', fileId } })
  return { fileId, acting }
}

describe('a rerun over a file', () => {
  it('is possible after its owner deleted it, as long as another batch keeps it there', () => {
    const ledger = new BatchLedger()
    const { fileId, acting } = overFile(ledger)
    ledger.run((ctx) => cancelBatch(ctx, callAt(ledger.now), acting.batchId))
    const first = rerun(ledger, acting)
    ledger.run((ctx) => deleteFile(ctx, fileId))

    const second = rerun(ledger, acting)
    for (const one of [first, second])
      ledger.run((ctx) => cancelBatch(ctx, callAt(ledger.now), one.ok ? one.value.value.id : ''))

    expect([first.ok, second.ok]).toEqual([true, true])
    expect(rerun(ledger, acting)).toMatchObject(refusedWith('content-deleted'))
  })
})

describe('a rerun of a batch that was never planned', () => {
  it.each(['incomplete_only', 'recompute_all'] as const)(
    'is refused where its lines failed it: %s',
    (mode) => {
      const ledger = new BatchLedger()
      const { acting } = overFile(ledger)
      ledger.run((ctx) => lookAtBatch(ctx, acting, false))
      const { manifest: _, ...summary } = planOf([])
      ledger.run((ctx) => sealPlan(ctx, acting, { ...summary, invalidItems: 1 }))

      expect(rerun(ledger, acting, { mode, processingVersion: '2' })).toMatchObject({
        refusal: { code: 'invalid-request', detail: expect.stringContaining('submit a new batch') },
      })
    },
  )

  it('takes all of it where it was cancelled before', () => {
    const ledger = new BatchLedger()
    const { acting } = overFile(ledger)
    ledger.run((ctx) => cancelBatch(ctx, callAt(ledger.now), acting.batchId))

    expect(rerun(ledger, acting)).toMatchObject({ value: { value: { status: 'accepted' } } })
  })
})
