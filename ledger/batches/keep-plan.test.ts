import { describe, expect, it } from 'vitest'
import { createFile } from '../files.ts'
import { mintId, randomBytes } from '../ids.ts'
import { batchPages, deadLetterOutbox, events, type LineError } from '../schema.ts'
import { acceptBatch } from './accept-batch.ts'
import { BatchLedger, callAt, plannedChunks, planOf, requestAt, startedBatch } from './batches.fixture.ts'
import { cancelBatch } from './cancel-batch.ts'
import { discardBatch } from './discard-batch.ts'
import { nextInstance } from './instances.ts'
import { keepFaults, keepPages, sealPlan } from './keep-plan.ts'
import { lookAtBatch } from './look-at-batch.ts'
import { pagesOf } from './manifest.ts'
import type { BatchRequest, PlanSummary } from './plan.ts'
import type { Acting } from './protocol.ts'
import { batchManifest } from './read-batch.ts'
import { batchItems, batchReport } from './read-items.ts'
import { errorCount, reportChecks } from './report.ts'

/** A batch of a file, whose Workflow is to plan it. */
function planning(ledger: BatchLedger, more: Partial<BatchRequest> = {}): Acting {
  const fileId = mintId('file', 0, ledger.now, randomBytes)
  const file = {
    id: fileId,
    ref: 't/acme/file/1/f',
    contentType: 'application/x-ndjson',
    bytes: 9,
    sha256: '0',
  }
  ledger.run((ctx) => createFile(ctx, { ...file, createdBy: 'c', retentionSeconds: 60, key: null }))
  const request = { ...requestAt(ledger.now, [], more), source: { kind: 'file', fileId } as const }
  const accepted = ledger.run((ctx) => acceptBatch(ctx, request))
  if (!accepted.ok) throw new Error(accepted.refusal.code)
  const acting = { batchId: accepted.value.batch.id, instance: 1 }
  ledger.run((ctx) => nextInstance(ctx, acting.batchId, 0))
  expect(ledger.run((ctx) => lookAtBatch(ctx, acting, false))).toMatchObject({ kind: 'plan' })
  return acting
}

const bad: LineError = { line: 3, external_reference: 'r2', class: 'invalid_input', detail: 'Not JSON.' }

/** Keeps the pages of a plan, with these faults of its lines, and seals it. */
function sealed(
  ledger: BatchLedger,
  acting: Acting,
  more: Partial<PlanSummary> = {},
  faults: LineError[] = [],
  chunks = plannedChunks([2, 2]),
) {
  const { manifest, ...summary } = planOf(chunks)
  ledger.run((ctx) => keepPages(ctx, acting, 0, pagesOf(manifest), []))
  if (faults.length > 0) ledger.run((ctx) => keepFaults(ctx, acting, { page: 0, faults }))
  return ledger.run((ctx) => sealPlan(ctx, acting, { ...summary, ...more }))
}

const skip = { onInvalid: 'skip' } as const

/** What the report of the batch says: of lines, how often, and by which checks. */
function toldOf(ledger: BatchLedger, { batchId }: Acting) {
  const material = ledger.run((ctx) => batchReport(ctx, batchId))
  if (!material.ok) throw new Error(material.refusal.code)
  const { batch, items, chunks, lineErrors: errors } = material.value
  const failed = reportChecks({ ...batch, items }, chunks).filter(({ passed }) => !passed)
  return { errors, count: errorCount(batch), failed: failed.map(({ name }) => name) }
}

const kindsOfEvents = (ledger: BatchLedger) =>
  ledger.db
    .select({ type: events.type })
    .from(events)
    .all()
    .map(({ type }) => type)

describe('a plan', () => {
  it('that is sealed makes its batch ready, once', () => {
    const ledger = new BatchLedger({ monthly_budget_usd: 1 })
    const acting = planning(ledger)

    expect(sealed(ledger, acting)).toBe('planned')
    expect(sealed(ledger, acting)).toBe('planned')

    expect(ledger.snapshot(acting.batchId)).toMatchObject({
      status: 'processing',
      statusReason: 'submitting',
      counts: { total: 4, pending: 4 },
    })
    const items = ledger.run((ctx) =>
      batchItems(ctx, acting.batchId, { status: 'pending', after: 0, limit: 2 }),
    )
    expect(items).toMatchObject({
      value: {
        items: [
          { index: 1, chunk: 0 },
          { index: 2, chunk: 1 },
        ],
        nextAfter: 2,
      },
    })
  })

  const tooDear = { line: 0, class: 'budget_exhausted' }
  const tooMany = { line: 0, external_reference: null, class: 'invalid_input', detail: 'Too many.' } as const

  it.each<[string, Partial<BatchRequest>, Partial<PlanSummary>, LineError[], object, string | null]>([
    ['bad lines', {}, { invalidItems: 1 }, [bad], bad, 'invalid_items'],
    ['no items', skip, { items: 0, chunks: [] }, [], { detail: 'There are no items.' }, 'invalid_items'],
    [
      'too many',
      skip,
      { items: 0, chunks: [], invalidItems: 1, whole: tooMany },
      [],
      tooMany,
      'invalid_items',
    ],
    ['a cost above its ceiling', { maxCostMicroUsd: 39_999 }, {}, [], tooDear, null],
  ])('with %s fails its batch before anything is sent', (_, more, summary, faults, error, statusReason) => {
    const ledger = new BatchLedger()
    const acting = planning(ledger, more)

    expect(sealed(ledger, acting, summary, faults)).toBe('failed')
    expect(sealed(ledger, acting, summary, faults)).toBe('over')

    expect(ledger.snapshot(acting.batchId)).toMatchObject({
      status: 'failed',
      statusReason,
      counts: { total: 0 },
    })
    expect(toldOf(ledger, acting)).toMatchObject({ count: 1, errors: [error] })
    expect(kindsOfEvents(ledger)).toEqual(['batch.accepted', 'batch.failed'])
    expect(ledger.db.select().from(batchPages).all()).toEqual([])
    expect(ledger.db.select().from(deadLetterOutbox).all()).toEqual([])
  })

  it('whose estimate does not fit into the budget fails its batch', () => {
    const ledger = new BatchLedger({ monthly_budget_usd: 0.039 })
    const acting = planning(ledger)

    expect(sealed(ledger, acting)).toBe('failed')
    expect(toldOf(ledger, acting)).toMatchObject({ failed: ['within_budget'] })
  })

  it('runs without its bad lines if asked to, and says that it did', () => {
    const ledger = new BatchLedger()
    const acting = planning(ledger, { onInvalid: 'skip' })

    expect(sealed(ledger, acting, { invalidItems: 1 }, [bad])).toBe('planned')

    expect(ledger.snapshot(acting.batchId)).toMatchObject({ invalidItems: 1, counts: { total: 4 } })
  })

  it('with items that are open in another batch fails its batch, each named in the report', () => {
    const ledger = new BatchLedger()
    const other = startedBatch(ledger, plannedChunks([1]))
    const [refused, asked] = [planning(ledger), planning(ledger, { onDuplicate: 'run' })]

    expect(sealed(ledger, refused)).toBe('failed')
    expect(sealed(ledger, asked)).toBe('planned')

    expect(toldOf(ledger, refused)).toMatchObject({
      count: 1,
      failed: ['items_not_open_elsewhere'],
      errors: [{ line: 1, external_reference: 'r0', detail: `Open in ${other.batchId}.` }],
    })
    expect(ledger.snapshot(refused.batchId)).toMatchObject({ statusReason: 'invalid_items', invalidItems: 0 })
  })

  it('names every item that is open elsewhere, and the lines that are no items, in the order of the lines', () => {
    const ledger = new BatchLedger()
    startedBatch(ledger, plannedChunks([700]))
    const acting = planning(ledger, skip)

    expect(sealed(ledger, acting, { invalidItems: 1 }, [bad], plannedChunks([700]))).toBe('failed')

    const { errors, count, failed } = toldOf(ledger, acting)
    expect([errors.length, count]).toEqual([701, 701])
    expect(errors.slice(1, 5).map(({ line, detail }) => [line, detail.slice(0, 4)])).toEqual([
      [2, 'Open'],
      [3, 'Not '],
      [3, 'Open'],
      [4, 'Open'],
    ])
    expect(failed).toEqual(['lines_valid', 'items_not_open_elsewhere'])
  })

  it('is not told of while its source is read', () => {
    const ledger = new BatchLedger()
    const acting = planning(ledger, skip)
    ledger.run((ctx) => keepFaults(ctx, acting, { page: 0, faults: [bad] }))

    expect(toldOf(ledger, acting)).toMatchObject({ count: 0, errors: [] })
  })

  it('keeps no fault that only an earlier reading of the source found', () => {
    const ledger = new BatchLedger()
    const acting = planning(ledger, skip)
    ledger.run((ctx) => keepFaults(ctx, acting, { page: 1, faults: [bad] }))

    expect(sealed(ledger, acting, { invalidItems: 1 }, [bad])).toBe('planned')

    expect(toldOf(ledger, acting)).toEqual({ count: 1, errors: [bad], failed: expect.any(Array) })
  })

  it('of an instance that was replaced is not heard', () => {
    const ledger = new BatchLedger()
    const acting = planning(ledger)
    ledger.run((ctx) => nextInstance(ctx, acting.batchId, 1))

    expect(sealed(ledger, acting)).toBe('over')
    expect(ledger.db.select().from(batchPages).all()).toEqual([])
  })
})

describe('the manifest of a batch of a file', () => {
  const manifestOf = (ledger: BatchLedger, { batchId }: Acting) =>
    ledger.run((ctx) => batchManifest(ctx, batchId, null, 10))

  it('is waited for while the file is read, and will never be where the batch ended before', () => {
    const ledger = new BatchLedger()
    const acting = planning(ledger)
    expect(manifestOf(ledger, acting)).toMatchObject({
      refusal: { code: 'manifest-not-ready', retryAfterSeconds: 5 },
    })

    for (const end of [cancelBatch, discardBatch]) {
      ledger.run((ctx) => end(ctx, callAt(ledger.now), acting.batchId))
      const answer = manifestOf(ledger, acting)

      expect(answer).toMatchObject({ refusal: { code: 'manifest-not-ready' } })
      expect(answer).not.toHaveProperty('refusal.retryAfterSeconds')
    }
  })

  it('is empty where the file was read, and nothing of it is to run', () => {
    const ledger = new BatchLedger()
    const acting = planning(ledger)
    sealed(ledger, acting, { invalidItems: 1 }, [bad])

    expect(manifestOf(ledger, acting)).toMatchObject({ value: { items: [], chunks: [] } })
  })
})
