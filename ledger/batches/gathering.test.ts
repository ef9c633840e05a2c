import { describe, expect, it } from 'vitest'
import { claimJob } from '../claim.ts'
import type { JobRecord } from '../jobs.ts'
import { doomedContent } from '../schema.ts'
import { settleJob } from '../settle.ts'
import { answerTo, BatchLedger, callAt, lookWork, plannedChunks, startedBatch } from './batches.fixture.ts'
import { cancelBatch } from './cancel-batch.ts'
import { sweepBatchDeadlines } from './deadlines.ts'
import { endGathering, gatherOrder, itemResults } from './gather.ts'
import { nextInstance } from './instances.ts'
import { itemJob, jobsIn, opened, ran } from './item-jobs.fixture.ts'
import { openItemJobs } from './item-jobs.ts'
import type { Acting, ChunkAnswer, ItemResult } from './protocol.ts'
import { batchItems } from './read-items.ts'
import { doomed } from './reruns.fixture.ts'

const KIB = 1024

function singly(ledger: BatchLedger, items: number): Acting {
  const acting = startedBatch(ledger, plannedChunks([items], { path: 'jobs' }))
  lookWork(ledger, acting)
  opened(ledger, acting)
  return acting
}

function answers(ledger: BatchLedger, { id }: JobRecord, output: string): void {
  ledger.run((ctx) => claimJob(ctx, { messageId: id, jobId: id, attempt: 1 }, () => true))
  const outcome = { kind: 'completed', output, outputRef: null } as const
  const settlement = { jobId: id, attempt: 1, outcome, usage: null, providerRequestId: null }
  ledger.run((ctx) => settleJob(ctx, settlement))
}

const page = (ledger: BatchLedger, acting: Acting, after: number) =>
  ledger.run((ctx) => itemResults(ctx, acting, 0, after))

/** All pages, by the places that each holds. */
function pages(ledger: BatchLedger, acting: Acting): number[][] {
  const all: number[][] = []
  for (let after = -1; ; ) {
    const places = page(ledger, acting, after).map(({ position }: ItemResult) => position)
    if (places.length === 0) return all
    all.push(places)
    after = places.at(-1) ?? 0
  }
}

const end = (ledger: BatchLedger, acting: Acting, more: Partial<ChunkAnswer> = {}) => {
  const order = ledger.run((ctx) => gatherOrder(ctx, acting, 0))
  if (!order) throw new Error('Nothing to gather.')
  const answer = answerTo(order, 's', more)
  return { answer, heard: ledger.run((ctx) => endGathering(ctx, acting, answer)) }
}

describe('the results of items that ran as jobs', () => {
  it('come in pages of about a megabyte, a larger one by itself', () => {
    const ledger = new BatchLedger()
    const acting = singly(ledger, 4)
    const sizes = [500, 500, 1500, 10].map((size) => 'x'.repeat(size * KIB))
    for (const [at, job] of jobsIn(ledger, acting.batchId).entries()) answers(ledger, job, sizes[at] ?? '')

    expect(pages(ledger, acting)).toEqual([[0, 1], [2], [3]])
  })

  it('are of each item once, however many there are', () => {
    const ledger = new BatchLedger()
    const acting = startedBatch(ledger, plannedChunks([405], { path: 'jobs' }))
    lookWork(ledger, acting)
    ledger.run((ctx) => openItemJobs(ctx, acting, { chunk: 0, epoch: 0, tries: 0 }, [itemJob(0)]))
    const [job] = jobsIn(ledger, acting.batchId)
    if (job) ran(ledger, job, 'succeeds')
    ledger.pass(7_200_000)
    ledger.run(sweepBatchDeadlines)

    const found = page(ledger, acting, -1)

    expect(found.map(({ position }) => position)).toEqual(Array.from({ length: 405 }, (_, at) => at))
    expect(found[404]).toMatchObject({ status: 'expired', errorClass: 'deadline_exceeded', output: null })
  })

  it('are none before all have ended, and none for an instance that was replaced', () => {
    const ledger = new BatchLedger()
    const acting = singly(ledger, 2)
    const [first, second] = jobsIn(ledger, acting.batchId) as [JobRecord, JobRecord]
    ran(ledger, first, 'succeeds')
    expect(page(ledger, acting, -1)).toEqual([])
    ran(ledger, second, 'fails')
    expect(page(ledger, acting, -1)).toHaveLength(2)

    ledger.run((ctx) => nextInstance(ctx, acting.batchId, 1))

    expect(page(ledger, acting, -1)).toEqual([])
    expect(ledger.run((ctx) => gatherOrder(ctx, acting, 0))).toBeNull()
  })

  it('are gathered after their batch was cancelled as well', () => {
    const ledger = new BatchLedger()
    const acting = singly(ledger, 2)
    const [job] = jobsIn(ledger, acting.batchId)
    if (job) ran(ledger, job, 'succeeds')
    ledger.run((ctx) => cancelBatch(ctx, callAt(ledger.now), acting.batchId))

    expect(end(ledger, acting).heard).toBe(true)

    expect(ledger.chunk(acting.batchId, 0)).toMatchObject({ state: 'collected' })
    expect(ledger.snapshot(acting.batchId).status).toBe('cancelled')
  })
})

describe('an object that was gathered', () => {
  const gathering = (ledger: BatchLedger) => {
    const acting = singly(ledger, 1)
    for (const job of jobsIn(ledger, acting.batchId)) ran(ledger, job, 'succeeds')
    return acting
  }

  it('ends its batch at once, and stays when it is told again', () => {
    const ledger = new BatchLedger()
    const acting = gathering(ledger)
    const { answer } = end(ledger, acting)
    expect(ledger.snapshot(acting.batchId).status).toBe('completed')

    const row = ledger.chunk(acting.batchId, 0)
    ledger.pass(1000)
    ledger.run((ctx) => endGathering(ctx, acting, answer))

    expect(doomed(ledger)).toEqual([])
    expect(row).toMatchObject({ state: 'collected', outputRef: answer.outputRef })
    expect(ledger.chunk(acting.batchId, 0)).toEqual(row)
  })

  it.each([{ epoch: 1 }, { tries: 1 }])('for another try or epoch (%o) is not taken, and goes', (more) => {
    const ledger = new BatchLedger()
    const acting = gathering(ledger)

    const { answer } = end(ledger, acting, { ...more, outputRef: 'another' })

    expect(ledger.chunk(acting.batchId, 0)).toMatchObject({ state: 'submitted', outputRef: null })
    expect(ledger.db.select().from(doomedContent).all()).toMatchObject([{ ref: answer.outputRef }])
  })
})

describe('an item that ended as a job', () => {
  it('is told with its own failure and tokens, beside those of the others', () => {
    const ledger = new BatchLedger()
    const acting = singly(ledger, 3)
    const [first, second, third] = jobsIn(ledger, acting.batchId) as [JobRecord, JobRecord, JobRecord]
    ledger.woken.clear()
    ran(ledger, first, 'fails')
    ran(ledger, second, 'fails')
    expect([...ledger.woken]).toEqual([])
    ran(ledger, third, 'succeeds')
    expect([...ledger.woken]).toEqual([acting.batchId])

    const items = ledger.run((ctx) =>
      batchItems(ctx, acting.batchId, { status: null, after: null, limit: 9 }),
    )

    expect(items).toMatchObject({
      value: {
        items: [
          { status: 'failed', errorClass: 'permission_denied', usage: [3, 2] },
          { status: 'failed', errorClass: 'permission_denied', usage: [3, 2] },
          { status: 'succeeded', errorClass: null, usage: [3, 2] },
        ],
      },
    })
  })

  it('costs its own chunk, and no other', () => {
    const ledger = new BatchLedger()
    const chunks = [...plannedChunks([1]), ...plannedChunks([1], { path: 'jobs', runs: [[1, 1]] })]
    const acting = startedBatch(ledger, chunks)
    lookWork(ledger, acting)
    opened(ledger, acting, 1)
    for (const job of jobsIn(ledger, acting.batchId)) ran(ledger, job, 'succeeds')

    const costs = [0, 1].map((chunk) => ledger.chunk(acting.batchId, chunk)?.costMicroUsd)

    expect(costs).toEqual([0, 10_000])
  })
})
