import { describe, expect, it } from 'vitest'
import { answerTo, BatchLedger, callAt, lookWork, plannedChunks, startedBatch } from './batches.fixture.ts'
import { cancelBatch } from './cancel-batch.ts'
import { updateChunk } from './chunks.ts'
import { sweepBatchDeadlines } from './deadlines.ts'
import { rerunBatch } from './rerun-batch.ts'
import { finished, rerun } from './reruns.fixture.ts'
import { updateBatch } from './rows.ts'
import { noted, sent } from './submissions.fixture.ts'

const DAY_MS = 86_400_000
const contentGone = { refusal: { code: 'content-deleted' } }

const atModel = {
  refusal: { code: 'invalid-request', errors: [{ pointer: '/model', detail: 'Unknown model.' }] },
}

describe('a rerun is refused', () => {
  it('on a model that its tenant may not use (any more)', () => {
    const ledger = new BatchLedger()
    const acting = finished(ledger, ['sf'])
    Object.assign(ledger.plan, { test_models: false })

    expect(rerun(ledger, acting)).toMatchObject(atModel)
    expect(rerun(ledger, acting, { model: 'embedded/extract-1' }).ok).toBe(true)
  })

  it('on a model that its deployment does not have, or that takes no batches', () => {
    const ledger = new BatchLedger()
    const acting = finished(ledger, ['sf'])
    expect(rerun(ledger, acting, { model: 'workers-ai/llama-4-scout-17b-16e-instruct' })).toMatchObject(
      atModel,
    )

    updateBatch(ledger.db, acting.batchId, { kind: 'transcribe' })
    const order = { mode: 'incomplete_only', processingVersion: null, model: 'openai/whisper-1' } as const
    const by = { params: null, createdBy: 'c', traceparent: '00-2-2-00' }
    const refused = ledger.run((ctx) => {
      const settings = { ...ctx.settings, providers: new Set(['openai', 'test'] as const) }
      return rerunBatch({ ...ctx, settings }, callAt(ledger.now), acting.batchId, { ...order, ...by })
    })

    expect(refused).toMatchObject({
      refusal: { errors: [{ pointer: '/model', detail: 'openai/whisper-1 takes no batches.' }] },
    })
  })

  it('while its tenant has as many open as may be', () => {
    const ledger = new BatchLedger({ max_open_batches: 1 })
    const acting = finished(ledger, ['sf'])
    startedBatch(ledger, plannedChunks([1]), { processingVersion: '2' })

    expect(rerun(ledger, acting)).toMatchObject({ refusal: { code: 'backlog-full' } })
  })

  it('from the moment on at which any of its content is due', () => {
    const ledger = new BatchLedger()
    const week = plannedChunks([1], { retentionSeconds: 7 * 86_400, runs: [[2, 1]] })
    const acting = finished(ledger, ['sf', 's'], [...plannedChunks([2]), ...week])

    ledger.pass(DAY_MS - 1)
    expect(rerun(ledger, acting).ok).toBe(true)
    ledger.pass(1)

    expect(rerun(ledger, acting)).toMatchObject(contentGone)
  })

  it.each<[string, (ledger: BatchLedger, batchId: string) => void]>([
    ['is due', ({ db, now }, id) => updateBatch(db, id, { contentExpiresAt: now })],
    ['has gone', ({ db, now }, id) => updateBatch(db, id, { contentDeletedAt: now })],
    [
      'of a chunk has gone',
      ({ db, now }, batchId) => updateChunk(db, { batchId, chunk: 0 }, { contentDeletedAt: now }),
    ],
  ])('once its content %s', (_, lose) => {
    const ledger = new BatchLedger()
    const acting = finished(ledger, ['sf'])
    lose(ledger, acting.batchId)

    expect(rerun(ledger, acting)).toMatchObject(contentGone)
  })
})

describe('a rerun', () => {
  it('has its own time, as much as the batch had, and the parameters of that, unless it has others', () => {
    const ledger = new BatchLedger()
    const acting = finished(ledger, ['sf'])
    updateBatch(ledger.db, acting.batchId, { params: '{"max_words":9}' })
    const { createdAt, deadlineAt } = ledger.row(acting.batchId)
    ledger.pass(1000)

    const [same, other] = [rerun(ledger, acting), rerun(ledger, acting, { params: '{"max_words":5}' })]
    const rows = [same, other].map((made) => ledger.row(made.ok ? made.value.value.id : ''))

    expect(rows.map(({ params }) => params)).toEqual(['{"max_words":9}', '{"max_words":5}'])
    for (const row of rows) expect(row.deadlineAt - row.createdAt).toBe(deadlineAt - createdAt)
  })

  it('of all needs another version of its own, its model, or the version that the model has by now', () => {
    const ledger = new BatchLedger()
    const acting = finished(ledger, ['ss'])
    const all = { mode: 'recompute_all' } as const

    expect(rerun(ledger, acting, { ...all, model: 'test/priced' })).toMatchObject({
      refusal: { errors: [{ pointer: '/processing_version' }] },
    })
    updateBatch(ledger.db, acting.batchId, { modelVersion: '0' })

    expect(rerun(ledger, acting, all)).toMatchObject({ value: { value: { modelVersion: '1' } } })
  })

  it.each<[string, (ledger: BatchLedger, batchId: string) => void]>([
    ['was cancelled', (ledger, id) => void ledger.run((ctx) => cancelBatch(ctx, callAt(ledger.now), id))],
    [
      'expired',
      (ledger) => {
        ledger.pass(3_600_000)
        ledger.run(sweepBatchDeadlines)
      },
    ],
  ])('of what is incomplete takes what failed and what %s alike', (_, stop) => {
    const ledger = new BatchLedger()
    const acting = startedBatch(ledger)
    lookWork(ledger, acting)
    noted(ledger, acting, answerTo(sent(ledger, acting), 'sf'))
    stop(ledger, acting.batchId)

    const made = rerun(ledger, acting)

    expect(ledger.row(made.ok ? made.value.value.id : '')).toMatchObject({ lines: [[2, 3]] })
  })
})
