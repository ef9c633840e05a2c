import { describe, expect, it } from 'vitest'
import { createFile } from '../files.ts'
import { mintId, randomBytes } from '../ids.ts'
import { batchFaults, batchPages, contentRefs, type LineError } from '../schema.ts'
import { BatchLedger, plannedChunks, planOf } from './batches.fixture.ts'
import { unplannedBatch } from './files.fixture.ts'
import { nextInstance } from './instances.ts'
import { batchFiles, keepFaults, keepPages, sealPlan } from './keep-plan.ts'
import { readFaults, writeFaults } from './kept-faults.ts'
import { lookAtBatch } from './look-at-batch.ts'
import { pagesOf } from './manifest.ts'
import { FAULTS_PAGE, MAX_FAULTS, type OnDuplicate } from './plan.ts'
import type { Acting } from './protocol.ts'
import { updateBatch } from './rows.ts'

const GRACE_MS = 30_000
const { manifest, ...summary } = planOf(plannedChunks([2]))

function planning(ledger: BatchLedger, onDuplicate: OnDuplicate = 'run'): Acting {
  const { batchId } = unplannedBatch(ledger, { onInvalid: 'skip', onDuplicate })
  ledger.run((ctx) => nextInstance(ctx, batchId, 0))
  const acting = { batchId, instance: 1 }
  ledger.run((ctx) => lookAtBatch(ctx, acting, false))
  return acting
}

const fault = (line: number): LineError => ({
  ...{ line, external_reference: null, class: 'invalid_input', detail: 'Not JSON.' },
})

const keep = (ledger: BatchLedger, acting: Acting, fileIds: string[] = []) =>
  ledger.run((ctx) => keepPages(ctx, acting, 0, pagesOf(manifest), fileIds))
const tell = (ledger: BatchLedger, acting: Acting, page: number, faults: LineError[]) =>
  ledger.run((ctx) => keepFaults(ctx, acting, { page, faults }))
const seal = (ledger: BatchLedger, acting: Acting, invalidItems = 0) =>
  ledger.run((ctx) => sealPlan(ctx, acting, { ...summary, invalidItems }))

function uploaded(ledger: BatchLedger): string {
  const id = mintId('file', 0, ledger.now, randomBytes)
  const file = { id, ref: 'a-text', contentType: 'text/plain', bytes: 9, sha256: '0' }
  ledger.run((ctx) => createFile(ctx, { ...file, createdBy: 'c', retentionSeconds: 60, key: null }))
  return id
}

describe('planning', () => {
  it('shows by each page, of items or faults, that the Workflow lives', () => {
    const ledger = new BatchLedger()
    const acting = planning(ledger)
    for (const page of [keep, (...by: Parameters<typeof keep>) => tell(by[0], by[1], 0, [])]) {
      ledger.pass(GRACE_MS - 1)
      expect(page(ledger, acting)).toBe(true)
      expect(ledger.row(acting.batchId).dueAt).toBe(ledger.now + GRACE_MS)
    }
  })

  it('keeps the files that its items need, and is told of those by the instance that acts alone', () => {
    const ledger = new BatchLedger()
    const acting = planning(ledger)
    const fileId = uploaded(ledger)
    const found = (by: Acting) => ledger.run((ctx) => batchFiles(ctx, by, [fileId])).map(({ id }) => id)

    keep(ledger, acting, [fileId])

    const held = ledger.db.select().from(contentRefs).all()
    expect(held).toContainEqual({ ref: 'a-text', jobId: acting.batchId })
    expect([found(acting), found({ ...acting, instance: 2 })]).toEqual([[fileId], []])
  })

  it('is over once it is sealed: what comes again is heard, and changes nothing', () => {
    const ledger = new BatchLedger()
    const acting = planning(ledger)
    keep(ledger, acting)
    const before = ledger.row(acting.batchId)
    seal(ledger, acting)
    const pages = ledger.db.select().from(batchPages).all()
    const { version } = ledger.row(acting.batchId)
    expect(version).toBe(before.version + 1)

    const again = ledger.run((ctx) => keepPages(ctx, acting, 0, [[]], []))
    expect([again, tell(ledger, acting, 0, [fault(1)]), seal(ledger, acting)]).toEqual([
      true,
      true,
      'planned',
    ])

    expect(ledger.db.select().from(batchPages).all()).toEqual(pages)
    expect(ledger.db.select().from(batchFaults).all()).toEqual([])
    expect(ledger.row(acting.batchId).version).toBe(version)
  })

  it('of an instance that was replaced is not heard', () => {
    const ledger = new BatchLedger()
    const acting = { ...planning(ledger), instance: 2 }

    expect([keep(ledger, acting), tell(ledger, acting, 0, []), seal(ledger, acting)]).toEqual([
      false,
      false,
      'over',
    ])
  })

  it('keeps of its faults as many pages as there are lines at fault, up to the most that are told', () => {
    const ledger = new BatchLedger()
    for (const [invalidItems, left] of [
      [FAULTS_PAGE, 1],
      [FAULTS_PAGE + 1, 2],
      [MAX_FAULTS + 1, 20],
    ] as const) {
      const acting = planning(ledger)
      for (let page = 0; page < 22; page++) tell(ledger, acting, page, [fault(page)])
      keep(ledger, acting)
      seal(ledger, acting, invalidItems)

      expect(readFaults(ledger.db, acting.batchId)).toHaveLength(left)
    }
  })

  it('lets a batch run that costs as much as it may, and none that costs more', () => {
    const ledger = new BatchLedger()
    const sealed = [20_000, 19_999].map((maxCostMicroUsd) => {
      const acting = planning(ledger)
      updateBatch(ledger.db, acting.batchId, { maxCostMicroUsd })
      keep(ledger, acting)
      return seal(ledger, acting)
    })

    expect(sealed).toEqual(['planned', 'failed'])
  })

  it('comes to nothing where no line is an item, whatever was asked', () => {
    const ledger = new BatchLedger()
    const acting = planning(ledger)

    const sealed = ledger.run((ctx) => sealPlan(ctx, acting, { items: 0, chunks: [], invalidItems: 2 }))

    expect(sealed).toBe('failed')
    expect(ledger.snapshot(acting.batchId)).toMatchObject({ status: 'failed', invalidItems: 2 })
  })

  it('tells of duplicates as far as there is room beside the lines at fault, and counts all', () => {
    const ledger = new BatchLedger()
    const open = planning(ledger)
    keep(ledger, open)
    seal(ledger, open)
    const acting = planning(ledger, 'refuse')
    keep(ledger, acting)

    expect(seal(ledger, acting, MAX_FAULTS - 1)).toBe('failed')

    expect(readFaults(ledger.db, acting.batchId)).toMatchObject([{ detail: `Open in ${open.batchId}.` }])
    expect(ledger.snapshot(acting.batchId)).toMatchObject({ duplicateItems: 2 })
  })

  it('tells faults by line, in whatever order they were found', () => {
    const ledger = new BatchLedger()
    writeFaults(ledger.db, 'batch_1', { page: 1, faults: [fault(7), fault(2)] })
    writeFaults(ledger.db, 'batch_1', { page: 0, faults: [fault(9)] })

    expect(readFaults(ledger.db, 'batch_1').map(({ line }) => line)).toEqual([2, 7, 9])
  })
})
