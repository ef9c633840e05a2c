import { eq } from 'drizzle-orm'
import { describe, expect, it } from 'vitest'
import { createFile, deleteFile, keptFiles, sweepFiles } from '../files.ts'
import { mintId, randomBytes } from '../ids.ts'
import { contentRefs, events } from '../schema.ts'
import { acceptBatch, answeredBatch } from './accept-batch.ts'
import { BatchLedger, callAt, itemKey, plannedChunks, requestAt, startedBatch } from './batches.fixture.ts'
import { cancelBatch } from './cancel-batch.ts'
import { discardBatch } from './discard-batch.ts'
import { batchSource } from './estimate-batch.ts'
import type { BatchRequest, InlineSource } from './plan.ts'
import { batchManifest } from './read-batch.ts'

const accepted = (ledger: BatchLedger, request: BatchRequest) => {
  const outcome = ledger.run((ctx) => acceptBatch(ctx, request))
  if (!outcome.ok) throw new Error(outcome.refusal.code)
  return outcome.value
}

const refusalOf = (ledger: BatchLedger, request: BatchRequest) => {
  const outcome = ledger.run((ctx) => acceptBatch(ctx, request))
  return outcome.ok ? null : outcome.refusal
}

/** A file of items; answers its ID. */
function uploaded(ledger: BatchLedger, contentType = 'application/x-ndjson'): string {
  const id = mintId('file', 0, ledger.now, randomBytes)
  const file = { id, ref: `t/acme/file/1/${id}`, contentType, bytes: 1000, sha256: '0' }
  ledger.run((ctx) => createFile(ctx, { ...file, createdBy: 'c', retentionSeconds: 60, key: null }))
  return id
}

describe('a batch whose items came inline', () => {
  it('is on record with its manifest, its event and what it sets aside', () => {
    const ledger = new BatchLedger({ monthly_budget_usd: 1 })

    const { batch, replayed } = accepted(ledger, requestAt(ledger.now))

    expect({ ...batch, replayed }).toMatchObject({
      status: 'accepted',
      statusReason: 'submitting',
      replayed: false,
    })
    expect(batch.counts).toEqual({ total: 4, pending: 4, succeeded: 0, failed: 0, cancelled: 0, expired: 0 })
    expect(batch.usage).toBeNull()
    const manifest = ledger.run((ctx) => batchManifest(ctx, batch.id, null, 3))
    expect(manifest).toMatchObject({
      value: {
        chunks: [{ chunk: 0, state: 'planned', items: 2 }, { chunk: 1 }],
        items: [{ index: 0, reference: 'r0', chunk: 0 }, { index: 1 }, { index: 2, key: itemKey('r2') }],
        nextAfter: 2,
      },
    })
    const [event] = ledger.db.select().from(events).all()
    expect(JSON.parse(event?.body ?? '')).toMatchObject({
      type: 'batch.accepted',
      data: { id: batch.id, object: 'batch', status: 'accepted', sequence: 1, counts: batch.counts },
    })
    expect(ledger.chunk(batch.id, 0)?.reservedMicroUsd).toBe(20_000)
  })

  it('is answered alike under its key, as it was accepted, whatever has become of it', () => {
    const ledger = new BatchLedger({ max_open_batches: 1 })
    const request = { ...requestAt(ledger.now), call: callAt(ledger.now, 'key') }
    const first = accepted(ledger, request)
    ledger.run((ctx) => cancelBatch(ctx, callAt(ledger.now), first.batch.id))
    startedBatch(ledger, plannedChunks([1]), { processingVersion: '2' })

    const again = { ...request, call: { ...callAt(ledger.now), key: request.call.key } }

    expect(accepted(ledger, again)).toEqual({ batch: first.batch, replayed: true })
    expect(accepted(ledger, request)).toEqual({ batch: first.batch, replayed: false })
    expect(ledger.run((ctx) => answeredBatch(ctx, again))).toMatchObject({
      ok: true,
      value: { replayed: true },
    })
  })

  it('is refused under a key that came with another body, before anything of it is stored', () => {
    const ledger = new BatchLedger()
    accepted(ledger, { ...requestAt(ledger.now), call: callAt(ledger.now, 'key') })
    const call = { ...callAt(ledger.now), key: { hash: 'key', fingerprint: 'another' } }
    const other = requestAt(ledger.now, plannedChunks([1]), { processingVersion: '2', call })

    expect(ledger.run((ctx) => answeredBatch(ctx, other))).toMatchObject({ ok: false })
    expect(refusalOf(ledger, other)).not.toBeNull()
  })

  it('has its time from the moment on that its ID tells', () => {
    const ledger = new BatchLedger()
    const asked = requestAt(ledger.now, plannedChunks([1]), { deadlineSeconds: 60 })
    const createdAt = ledger.now
    ledger.pass(1500)

    const { batch } = accepted(ledger, asked)

    expect(batch).toMatchObject({ createdAt, deadlineAt: createdAt + 60_000 })
  })

  it.each<[string, ConstructorParameters<typeof BatchLedger>[0], Partial<BatchRequest>]>([
    ['invalid-request', { test_models: false }, {}],
    ['cost-over-limit', {}, { maxCostMicroUsd: 39_999 }],
    ['budget-exhausted', { monthly_budget_usd: 0.039 }, {}],
  ])('is refused with %s', (code, plan, more) => {
    const ledger = new BatchLedger(plan)

    expect(refusalOf(ledger, requestAt(ledger.now, undefined, more))?.code).toBe(code)
    expect(ledger.db.select().from(contentRefs).all()).toEqual([])
  })

  it('is refused while there are as many open as may be', () => {
    const ledger = new BatchLedger({ max_open_batches: 1 })
    const { batchId } = startedBatch(ledger)
    const another = requestAt(ledger.now, undefined, { processingVersion: '2' })

    expect(refusalOf(ledger, another)).toMatchObject({ code: 'backlog-full', retryAfterSeconds: 30 })
    ledger.run((ctx) => cancelBatch(ctx, callAt(ledger.now), batchId))
    expect(refusalOf(ledger, another)).toBeNull()
  })

  it('is refused for items that are open in another batch, unless asked to run', () => {
    const ledger = new BatchLedger()
    const { batchId } = startedBatch(ledger, plannedChunks([1]))
    const more = { processingVersion: '1' }

    const refusal = refusalOf(ledger, requestAt(ledger.now, undefined, more))

    expect(refusal).toMatchObject({
      code: 'duplicate-items',
      errors: [{ pointer: '/items/0/external_reference', detail: `Open in ${batchId}.` }],
    })
    expect(refusalOf(ledger, requestAt(ledger.now, undefined, { processingVersion: '2' }))).toBeNull()
    expect(refusalOf(ledger, requestAt(ledger.now, undefined, { ...more, onDuplicate: 'run' }))).toBeNull()
  })

  it('is told of each such item once, with all batches that hold it and the way out, and of how many there are', () => {
    const ledger = new BatchLedger()
    const more = { processingVersion: '1', onDuplicate: 'run' as const }
    const chunks = plannedChunks([150])
    const [first, second] = [1, 2].map(() => accepted(ledger, requestAt(ledger.now, chunks, more)).batch.id)

    const refusal = refusalOf(ledger, requestAt(ledger.now, chunks, { ...more, onDuplicate: 'refuse' }))

    expect(refusal?.detail).toMatch(/Wait .* cancel .* `on_duplicate: "run"`/)
    expect(refusal?.errors?.map(({ pointer }) => pointer)).toEqual(
      Array.from({ length: 150 }, (_, at) => `/items/${at}/external_reference`),
    )
    const all = [first, second].toSorted().join(', ')
    expect(new Set(refusal?.errors?.map(({ detail }) => detail))).toEqual(new Set([`Open in ${all}.`]))
  })

  it('is not refused for items that have ended in another', () => {
    const ledger = new BatchLedger()
    const { batchId } = startedBatch(ledger)
    ledger.run((ctx) => cancelBatch(ctx, callAt(ledger.now), batchId))

    expect(refusalOf(ledger, requestAt(ledger.now))).toBeNull()
  })
})

describe('a batch of a file', () => {
  it('is to be planned, and holds the file', () => {
    const ledger = new BatchLedger()
    const fileId = uploaded(ledger)

    const { batch } = accepted(ledger, { ...requestAt(ledger.now), source: { kind: 'file', fileId } })

    expect(batch).toMatchObject({ statusReason: 'planning', itemsFileId: fileId, counts: { total: 0 } })
    expect(ledger.db.select().from(contentRefs).all()).toEqual([
      { ref: `t/acme/file/1/${fileId}`, jobId: batch.id },
    ])
    expect(ledger.run((ctx) => batchManifest(ctx, batch.id, null, 10))).toMatchObject({
      refusal: { code: 'manifest-not-ready' },
    })
  })

  it.each(['nothing', 'text/plain'])('is refused for %s in its place', (type) => {
    const ledger = new BatchLedger()
    const fileId = type === 'nothing' ? 'file_none' : uploaded(ledger, type)
    const wanted = { code: 'invalid-request', errors: [{ pointer: '/items_file_id' }] }

    expect(refusalOf(ledger, { ...requestAt(ledger.now), source: { kind: 'file', fileId } })).toMatchObject(
      wanted,
    )
    expect(ledger.run((ctx) => batchSource(ctx, fileId))).toMatchObject({ ok: false, refusal: wanted })
  })
})

describe('a file that an item needs', () => {
  const withFile = (ledger: BatchLedger, fileId: string) => {
    const request = requestAt(ledger.now)
    return accepted(ledger, { ...request, source: { ...request.source, fileIds: [fileId] } as InlineSource })
  }
  const keptIn = (ledger: BatchLedger, fileId: string) =>
    ledger.run((ctx) => keptFiles(ctx.db, [fileId])).length

  it('is kept for as long as the batch has not ended, though its owner has deleted it', () => {
    const ledger = new BatchLedger()
    const fileId = uploaded(ledger, 'text/plain')
    const { batch } = withFile(ledger, fileId)
    ledger.run((ctx) => deleteFile(ctx, fileId))
    expect(keptIn(ledger, fileId)).toBe(1)

    ledger.run((ctx) => cancelBatch(ctx, callAt(ledger.now), batch.id))
    ledger.now += 3_600_000
    ledger.run((ctx) => sweepFiles(ctx))

    expect(keptIn(ledger, fileId)).toBe(0)
  })

  it('is let go of with the content of the batch', () => {
    const ledger = new BatchLedger()
    const { batch } = withFile(ledger, uploaded(ledger, 'text/plain'))
    const held = () => ledger.db.select().from(contentRefs).where(eq(contentRefs.jobId, batch.id)).all()
    expect(held()).toHaveLength(2)

    ledger.run((ctx) => cancelBatch(ctx, callAt(ledger.now), batch.id))
    ledger.run((ctx) => discardBatch(ctx, callAt(ledger.now), batch.id))

    expect(held()).toEqual([])
  })
})
