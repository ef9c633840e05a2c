import { describe, expect, it } from 'vitest'
import { readMeta } from '../meta.ts'
import { contentRefs } from '../schema.ts'
import { BatchLedger, callAt, plannedChunks, START } from './batches.fixture.ts'
import { cancelBatch } from './cancel-batch.ts'
import { sweepBatchContent } from './content.ts'
import { discardBatch } from './discard-batch.ts'
import { FILE_REF, unplannedBatch } from './files.fixture.ts'
import { nextInstance } from './instances.ts'
import { lookAtBatch } from './look-at-batch.ts'
import { takeSource } from './own-source.ts'
import type { Acting } from './protocol.ts'
import { doomed, finished, rerun } from './reruns.fixture.ts'
import { updateBatch } from './rows.ts'

const INLINE = 't/acme/in/1/source'
const OWN = 'its-own'

/** A rerun of what is incomplete, with its first instance. */
function rerunning(ledger: BatchLedger, of: Acting): Acting {
  const made = rerun(ledger, of)
  if (!made.ok) throw new Error(made.refusal.code)
  const batchId = made.value.value.id
  ledger.run((ctx) => nextInstance(ctx, batchId, 0))
  return { batchId, instance: 1 }
}

const lookAt = (ledger: BatchLedger, acting: Acting) => ledger.run((ctx) => lookAtBatch(ctx, acting, false))
const take = (ledger: BatchLedger, acting: Acting, ref = OWN) =>
  ledger.run((ctx) => takeSource(ctx, acting, ref))
const cancel = (ledger: BatchLedger, { batchId }: Acting) =>
  ledger.run((ctx) => cancelBatch(ctx, callAt(ledger.now), batchId))
const discard = (ledger: BatchLedger, { batchId }: Acting) =>
  ledger.run((ctx) => discardBatch(ctx, callAt(ledger.now), batchId))
const held = (ledger: BatchLedger, { batchId }: Acting) =>
  ledger.db
    .select()
    .from(contentRefs)
    .all()
    .flatMap(({ ref, jobId }) => (jobId === batchId ? [ref] : []))

describe('a rerun of inline items', () => {
  it('copies its lines before it is planned over them, and holds them instead of all', () => {
    const ledger = new BatchLedger()
    const again = rerunning(ledger, finished(ledger, ['sff']))
    const to = `t/acme/in/${START / 3_600_000}/${again.batchId}`
    const order = { from: INLINE, lines: [[2, 2]], to }
    expect(lookAt(ledger, again)).toEqual({ kind: 'copy', order })
    expect(held(ledger, again)).toEqual([INLINE])

    expect([take(ledger, again), take(ledger, again)]).toEqual([true, true])

    expect(lookAt(ledger, again)).toMatchObject({ kind: 'plan', order: { sourceRef: OWN, lines: null } })
    expect(held(ledger, again)).toEqual([OWN])
    expect(doomed(ledger)).toEqual([])
  })

  it('does not keep what is due of the other items', () => {
    const ledger = new BatchLedger()
    const [brief, long] = plannedChunks([1, 1])
    if (!brief || !long) throw new Error('Two chunks were planned.')
    const first = finished(ledger, ['s', 'f'], [{ ...brief, retentionSeconds: 60 }, long])
    take(ledger, rerunning(ledger, first))

    ledger.pass(60_000)
    ledger.run(sweepBatchContent)

    expect(doomed(ledger)).toContain(INLINE)
    expect(doomed(ledger)).not.toContain(OWN)
  })

  it('has something to copy when the other batch is discarded first, whose source goes then', () => {
    const ledger = new BatchLedger()
    const first = finished(ledger, ['sf'])
    const again = rerunning(ledger, first)
    discard(ledger, first)
    expect(doomed(ledger)).not.toContain(INLINE)

    take(ledger, again)

    expect(doomed(ledger)).toContain(INLINE)
  })

  it('deletes its own source with its content', () => {
    const ledger = new BatchLedger()
    const again = rerunning(ledger, finished(ledger, ['sf']))
    take(ledger, again)
    cancel(ledger, again)
    expect(doomed(ledger)).toEqual([])

    discard(ledger, again)

    expect(doomed(ledger)).toContain(OWN)
    expect(doomed(ledger)).not.toContain(INLINE)
  })

  it('keeps nothing of the other when it ends before, and cannot be run again itself', () => {
    const ledger = new BatchLedger()
    const first = finished(ledger, ['sf'])
    const again = rerunning(ledger, first)
    cancel(ledger, again)

    expect(held(ledger, again)).toEqual([])
    expect(rerun(ledger, again)).toMatchObject({ refusal: { code: 'content-deleted' } })
    expect(rerun(ledger, first).ok).toBe(true)
  })

  it('that is run again in turn leaves its source to that, as long as that needs it', () => {
    const ledger = new BatchLedger()
    const second = rerunning(ledger, finished(ledger, ['sf']))
    take(ledger, second)
    cancel(ledger, second)
    const third = rerunning(ledger, second)
    discard(ledger, second)

    expect(lookAt(ledger, third)).toMatchObject({ kind: 'plan', order: { sourceRef: OWN, lines: null } })
    expect(held(ledger, third)).toEqual([OWN])
    expect(doomed(ledger)).not.toContain(OWN)
  })

  it('hears only the instance that acts for it', () => {
    const ledger = new BatchLedger()
    const again = rerunning(ledger, finished(ledger, ['sf']))
    ledger.run((ctx) => nextInstance(ctx, again.batchId, 1))

    expect(take(ledger, again)).toBe(false)
    expect(take(ledger, { ...again, instance: 2 }, 'another')).toBe(true)

    expect(held(ledger, again)).toEqual(['another'])
  })

  it('has its copy looked for in R2 before it is there', () => {
    const ledger = new BatchLedger()
    const again = rerunning(ledger, finished(ledger, ['sf']))
    expect(readMeta(ledger.db, 'looseContent')).toBeNull()

    lookAt(ledger, again)

    expect(readMeta(ledger.db, 'looseContent')).not.toBeNull()
  })
})

describe('a rerun of items from a file', () => {
  it('reads the file where it lies', () => {
    const ledger = new BatchLedger()
    const acting = finished(ledger, ['sf'])
    const { fileId } = unplannedBatch(ledger, { processingVersion: '2' })
    updateBatch(ledger.db, acting.batchId, { itemsFileId: fileId, sourceRef: FILE_REF })

    const again = rerunning(ledger, acting)

    expect(lookAt(ledger, again)).toMatchObject({
      kind: 'plan',
      order: { sourceRef: FILE_REF, lines: [[2, 1]] },
    })
  })
})
