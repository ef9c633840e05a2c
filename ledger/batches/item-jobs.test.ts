import { describe, expect, it } from 'vitest'
import { cancelJob } from '../cancel.ts'
import type { JobRecord } from '../jobs.ts'
import { listJobs } from '../read.ts'
import { deadLetterOutbox, events, usageDays } from '../schema.ts'
import { sweepDeadlines } from '../sweep.ts'
import { roomForItems } from './backlog.ts'
import { BatchLedger, lookWork, plannedChunks, startedBatch, triedOf } from './batches.fixture.ts'
import { sweepBatchDeadlines } from './deadlines.ts'
import { gatherOrder, itemResults } from './gather.ts'
import { claimed, gathered, itemJob, jobsIn, opened, ran } from './item-jobs.fixture.ts'
import { openItemJobs, openOrder } from './item-jobs.ts'
import { lookAtBatch } from './look-at-batch.ts'
import type { ChunkOrder } from './protocol.ts'

const single = () => plannedChunks([3], { path: 'jobs' })

describe('items that run singly', () => {
  it('get one job each, however often they are opened, which tells nothing and is seen only by its batch', () => {
    const ledger = new BatchLedger()
    const acting = startedBatch(ledger, single())
    expect(lookWork(ledger, acting).open).toEqual([0])
    const before = ledger.db.select().from(events).all().length

    const order = ledger.run((ctx) => openOrder(ctx, acting, 0))
    const some = [itemJob(0), itemJob(1)]
    for (const items of [some, some])
      ledger.run((ctx) => openItemJobs(ctx, acting, triedOf(order as ChunkOrder), items))
    expect(lookWork(ledger, acting).open).toEqual([0])
    opened(ledger, acting)

    expect(lookWork(ledger, acting)).toMatchObject({ open: [], gather: [] })
    const [job, ...others] = jobsIn(ledger, acting.batchId)
    expect(others).toHaveLength(2)
    expect(job).toMatchObject({ batchChunk: 0, batchPosition: 0, deadlineAt: ledger.now + 7_200_000 })
    expect(ledger.db.select().from(events).all()).toHaveLength(before)
    const filter = { status: null, kind: null, createdAfter: null, createdBefore: null, metadata: null }
    expect(listJobs(ledger.db, { ...filter, batchId: null }, null, 10).jobs).toEqual([])
    expect(listJobs(ledger.db, { ...filter, batchId: acting.batchId }, null, 10).jobs).toHaveLength(3)
    expect(ledger.snapshot(acting.batchId).statusReason).toBe('running_individually')
  })

  it('let the single jobs of their tenant go first', () => {
    const ledger = new BatchLedger()
    const acting = startedBatch(ledger, single())
    lookWork(ledger, acting)
    opened(ledger, acting)

    expect(jobsIn(ledger, acting.batchId).map(({ priority }) => priority)).toEqual(Array(3).fill('low'))
  })

  it('take half of the backlog of their tenant at most, and are opened by the dozen as there is room', () => {
    const ledger = new BatchLedger({ max_backlog: 17 })
    const acting = startedBatch(ledger, plannedChunks([10], { path: 'jobs' }))
    const open = () => jobsIn(ledger, acting.batchId).filter(({ dueAt }) => dueAt !== null)
    lookWork(ledger, acting)

    opened(ledger, acting)
    expect(open()).toHaveLength(8)
    expect(lookWork(ledger, acting)).toMatchObject({ open: [], waitMs: 5000 })
    expect(ledger.run((ctx) => openOrder(ctx, acting, 0))).toBeNull()
    for (const job of open().slice(0, 1)) ran(ledger, job, 'succeeds')
    expect(lookWork(ledger, acting).open).toEqual([])
    for (const job of open().slice(0, 1)) ran(ledger, job, 'succeeds')

    expect(lookWork(ledger, acting).open).toEqual([0])
    opened(ledger, acting)
    expect(jobsIn(ledger, acting.batchId)).toHaveLength(10)
    expect(lookWork(ledger, acting)).toMatchObject({ open: [], waitMs: 10_000 })
  })

  it('have room for one at least', () => {
    expect(roomForItems({ plan: { ...new BatchLedger().plan, max_backlog: 1 }, openJobs: 0 })).toBe(1)
  })

  it('are gathered when all have ended, and then their own content goes', () => {
    const ledger = new BatchLedger()
    const acting = startedBatch(ledger, single())
    lookWork(ledger, acting)
    opened(ledger, acting)
    const [first, second, third] = jobsIn(ledger, acting.batchId) as [JobRecord, JobRecord, JobRecord]

    ran(ledger, first, 'succeeds')
    ran(ledger, second, 'fails')
    expect(ledger.snapshot(acting.batchId).counts).toMatchObject({ pending: 1, succeeded: 1, failed: 1 })
    expect(ledger.run((ctx) => gatherOrder(ctx, acting, 0))).toBeNull()
    ledger.woken.clear()
    ran(ledger, third, 'succeeds')
    expect([...ledger.woken]).toEqual([acting.batchId])

    expect(lookWork(ledger, acting).gather).toEqual([0])
    const order = ledger.run((ctx) => gatherOrder(ctx, acting, 0)) as ChunkOrder
    const results = ledger.run((ctx) => itemResults(ctx, acting, 0, -1))
    expect(results.map(({ position, status, errorClass }) => [position, status, errorClass])).toEqual([
      [0, 'succeeded', null],
      [1, 'failed', 'permission_denied'],
      [2, 'succeeded', null],
    ])
    expect(ledger.run((ctx) => itemResults(ctx, acting, 0, 2))).toEqual([])
    gathered(ledger, acting, order)
    gathered(ledger, acting, order)

    expect(ledger.snapshot(acting.batchId)).toMatchObject({
      status: 'partially_failed',
      counts: { succeeded: 2, failed: 1 },
      usage: { inputTokens: 9, outputTokens: 6, costMicroUsd: 30_000 },
    })
    expect(jobsIn(ledger, acting.batchId).map(({ contentExpiresAt }) => contentExpiresAt)).toEqual(
      [0, 1, 2].map(() => ledger.now),
    )
    expect(ledger.db.select().from(usageDays).all()).toMatchObject([
      { jobs: 0, items: 3, succeeded: 2, failed: 1, costMicroUsd: 30_000 },
    ])
    expect(ledger.db.select().from(deadLetterOutbox).all()).toMatchObject([{ jobId: acting.batchId }])
  })

  it('need no gathering where none succeeded', () => {
    const ledger = new BatchLedger()
    const acting = startedBatch(ledger, single())
    lookWork(ledger, acting)
    opened(ledger, acting)

    for (const job of jobsIn(ledger, acting.batchId)) ran(ledger, job, 'fails')

    expect(ledger.run((ctx) => lookAtBatch(ctx, acting, false))).toEqual({ kind: 'over' })
    expect(ledger.snapshot(acting.batchId).status).toBe('failed')
  })

  it('that are cancelled while they run tell of what they used once that is known', () => {
    const ledger = new BatchLedger()
    const acting = startedBatch(ledger, single())
    lookWork(ledger, acting)
    opened(ledger, acting)
    const [first] = jobsIn(ledger, acting.batchId) as [JobRecord]
    const usage = () => ledger.chunk(acting.batchId, 0)?.usages?.[0] ?? null

    const settle = claimed(ledger, first, 'succeeds')
    ledger.run((ctx) => cancelJob(ctx, first.id, null))
    expect([ledger.chunk(acting.batchId, 0)?.statuses, usage()]).toEqual(['cpp', null])
    settle()

    expect([ledger.chunk(acting.batchId, 0)?.statuses, usage()]).toEqual(['cpp', [3, 2]])
  })

  it('have until twice the deadline, then expire with their batch', () => {
    const ledger = new BatchLedger()
    const acting = startedBatch(ledger, single())
    lookWork(ledger, acting)
    opened(ledger, acting)
    const [first] = jobsIn(ledger, acting.batchId) as [JobRecord]
    ran(ledger, first, 'succeeds')

    ledger.pass(3_600_000)
    ledger.run(sweepBatchDeadlines)
    expect(ledger.snapshot(acting.batchId)).toMatchObject({ status: 'processing', counts: { pending: 2 } })
    ledger.pass(3_600_000)
    ledger.run(sweepDeadlines)
    ledger.run(sweepBatchDeadlines)

    expect(ledger.snapshot(acting.batchId)).toMatchObject({
      status: 'expired',
      counts: { pending: 0, succeeded: 1, expired: 2 },
    })
    expect(ledger.db.select().from(usageDays).all()).toMatchObject([{ items: 3, succeeded: 1, failed: 0 }])
    const order = ledger.run((ctx) => gatherOrder(ctx, acting, 0)) as ChunkOrder
    expect(lookWork(ledger, acting).gather).toEqual([0])
    gathered(ledger, acting, order)
    expect(ledger.run((ctx) => lookAtBatch(ctx, acting, false))).toEqual({ kind: 'over' })
    expect(ledger.chunk(acting.batchId, 0)?.state).toBe('collected')
  })
})
