import { describe, expect, it } from 'vitest'
import { createFile } from '../files.ts'
import { mintId, randomBytes } from '../ids.ts'
import { readMeta } from '../meta.ts'
import { contentRefs } from '../schema.ts'
import { BatchLedger, lookWork, plannedChunks, startedBatch, triedOf } from './batches.fixture.ts'
import { decideBatch } from './decide-batch.ts'
import { itemJob, jobsIn, opened } from './item-jobs.fixture.ts'
import { openItemJobs, openOrder } from './item-jobs.ts'
import type { Acting, ItemJob, Tried } from './protocol.ts'
import { sent } from './submissions.fixture.ts'

const singly = (ledger: BatchLedger, items: number, more: Parameters<typeof plannedChunks>[1] = {}) => {
  const acting = startedBatch(ledger, plannedChunks([items], { path: 'jobs', ...more }))
  lookWork(ledger, acting)
  return acting
}

const open = (ledger: BatchLedger, acting: Acting, tried: Tried, items: ItemJob[]) =>
  ledger.run((ctx) => openItemJobs(ctx, acting, tried, items))

const first: Tried = { chunk: 0, epoch: 0, tries: 0 }

const refs = (ledger: BatchLedger, jobId: string) =>
  ledger.db
    .select()
    .from(contentRefs)
    .all()
    .flatMap((row) => (row.jobId === jobId ? [row.ref] : []))

describe('jobs of items', () => {
  it('are opened by no order of another try or epoch, nor for a chunk that is at its provider', () => {
    const ledger = new BatchLedger()
    const acting = singly(ledger, 1)
    const travelling = startedBatch(ledger, plannedChunks([1]), { processingVersion: '2' })
    lookWork(ledger, travelling)
    const order = sent(ledger, travelling)

    expect(open(ledger, acting, { ...first, epoch: 1 }, [itemJob(0)])).toBeNull()
    expect(open(ledger, acting, { ...first, tries: 1 }, [itemJob(0)])).toBeNull()
    expect(open(ledger, { ...acting, instance: 2 }, first, [itemJob(0)])).toBeNull()
    expect(open(ledger, travelling, triedOf(order), [itemJob(0)])).toBeNull()
    expect(ledger.run((ctx) => openOrder(ctx, travelling, 0))).toBeNull()
    expect([...jobsIn(ledger, acting.batchId), ...jobsIn(ledger, travelling.batchId)]).toEqual([])
  })

  it('are what their chunk says, not what its batch says', () => {
    const ledger = new BatchLedger()
    const acting = singly(ledger, 1, { confidentiality: 'restricted', retentionSeconds: 60 })

    opened(ledger, acting)

    expect(jobsIn(ledger, acting.batchId)).toMatchObject([
      { confidentiality: 'restricted', retentionSeconds: 60 },
    ])
  })

  it('keep their inputs and files for as long as they need them, and count the content of these', () => {
    const ledger = new BatchLedger()
    const fileId = mintId('file', 0, ledger.now, randomBytes)
    const file = { id: fileId, ref: 'the-file', contentType: 'text/plain', bytes: 3000, sha256: '0' }
    ledger.run((ctx) => createFile(ctx, { ...file, createdBy: 'c', retentionSeconds: 60, key: null }))
    const acting = singly(ledger, 2)
    const stored = { ...itemJob(0), input: null, inputRef: 'the-input' }
    open(ledger, acting, first, [stored, { ...itemJob(1), fileIds: [fileId] }])

    const [withInput, withFile] = jobsIn(ledger, acting.batchId)

    expect(refs(ledger, withInput?.id ?? '')).toEqual(['the-input'])
    expect(refs(ledger, withFile?.id ?? '')).toEqual(['the-file'])
    expect(withInput?.expectedTokens).toBe(20)
    expect(withFile?.expectedTokens).toBeGreaterThan(withInput?.expectedTokens ?? 0)
  })

  it('take over what was set aside for them: each its estimate, as far as the budget has room', () => {
    const ledger = new BatchLedger({ monthly_budget_usd: 0.03 })
    const acting = singly(ledger, 3)
    const reserved = () => ({
      chunk: ledger.chunk(acting.batchId, 0)?.reservedMicroUsd,
      jobs: jobsIn(ledger, acting.batchId).map(({ reservedMicroUsd }) => reservedMicroUsd),
    })
    expect(reserved()).toEqual({ chunk: 30_000, jobs: [] })

    open(ledger, acting, first, [itemJob(0)])
    expect(reserved()).toEqual({ chunk: 20_000, jobs: [10_000] })
    Object.assign(ledger.plan, { monthly_budget_usd: 0.025 })
    open(ledger, acting, first, [itemJob(1)])
    expect(reserved()).toEqual({ chunk: 10_000, jobs: [10_000, 0] })
    Object.assign(ledger.plan, { monthly_budget_usd: 0.03 })
    open(ledger, acting, first, [itemJob(2)])

    expect(reserved()).toEqual({ chunk: 0, jobs: [10_000, 0, 10_000] })
  })

  it('count as open, each once', () => {
    const ledger = new BatchLedger()
    const acting = singly(ledger, 2)
    const counted = (items: ItemJob[]) =>
      ledger.run((ctx) => {
        openItemJobs(ctx, acting, first, items)
        return ctx.tally.opened.length
      })

    expect([counted([itemJob(0)]), counted([itemJob(0), itemJob(1)])]).toEqual([1, 1])
  })

  it('leave nothing set aside for their chunk once all are open', () => {
    const ledger = new BatchLedger({ monthly_budget_usd: 1 })
    const acting = singly(ledger, 2, { estimateMicroUsd: 50_000 })

    opened(ledger, acting)

    expect(ledger.chunk(acting.batchId, 0)).toMatchObject({ reservedMicroUsd: 0 })
  })

  it('say when the first of them was opened, and when all are', () => {
    const ledger = new BatchLedger()
    const acting = singly(ledger, 2)
    const submittedAt = ledger.now

    open(ledger, acting, first, [itemJob(0)])
    expect(ledger.chunk(acting.batchId, 0)).toMatchObject({ state: 'submitting', submittedAt })
    ledger.pass(1000)
    open(ledger, acting, first, [itemJob(1)])

    expect(ledger.chunk(acting.batchId, 0)).toMatchObject({ state: 'submitted', submittedAt, dueAt: null })
  })

  it('are looked for in R2 before they are there: what an order leads to may be left behind', () => {
    const ledger = new BatchLedger()
    const acting = singly(ledger, 1)
    expect(readMeta(ledger.db, 'looseContent')).toBeNull()

    ledger.run((ctx) => openOrder(ctx, acting, 0))

    expect(readMeta(ledger.db, 'looseContent')).not.toBeNull()
  })

  it('come from a chunk that was given up with the time at which it was sent', () => {
    const ledger = new BatchLedger()
    const acting = startedBatch(ledger, plannedChunks([1]))
    lookWork(ledger, acting)
    const submittedAt = ledger.now
    sent(ledger, acting)
    ledger.pass(1000)
    ledger.run((ctx) => decideBatch(ctx, acting.batchId, 'run_individually'))

    opened(ledger, acting)

    expect(ledger.chunk(acting.batchId, 0)).toMatchObject({ submittedAt, epoch: 1, state: 'submitted' })
  })
})
