import { eq } from 'drizzle-orm'
import { describe, expect, it } from 'vitest'
import { claimJob } from '../claim.ts'
import { type JobRecord, jobColumns } from '../jobs.ts'
import { listJobs } from '../read.ts'
import { deadLetterOutbox, events, jobs, usageDays } from '../schema.ts'
import { settleJob } from '../settle.ts'
import { sweepDeadlines } from '../sweep.ts'
import { roomForItems } from './backlog.ts'
import {
  answerTo,
  BatchLedger,
  callAt,
  lookWork,
  plannedChunks,
  startedBatch,
  triedOf,
} from './batches.fixture.ts'
import { beginSubmission } from './begin-submission.ts'
import { cancelBatch } from './cancel-batch.ts'
import { sweepBatchDeadlines } from './deadlines.ts'
import { decideBatch, listStalledBatches } from './decide-batch.ts'
import { endSubmission } from './end-submission.ts'
import { endGathering, gatherOrder, itemResults } from './gather.ts'
import { openItemJobs, openOrder } from './item-jobs.ts'
import { lookAtBatch } from './look-at-batch.ts'
import { noteAnswers } from './note-answers.ts'
import type { Acting, ChunkOrder, ItemJob } from './protocol.ts'

const single = () => plannedChunks([3], { path: 'jobs' })

const itemJob = (position: number): ItemJob => ({
  position,
  input: '{"text":"a"}',
  inputRef: null,
  inputTokens: 10,
  fileIds: [],
})

const jobsIn = (ledger: BatchLedger, batchId: string): JobRecord[] =>
  ledger.db.select(jobColumns).from(jobs).where(eq(jobs.batchId, batchId)).orderBy(jobs.batchPosition).all()

/** Opens the jobs of the chunk's items; answers the order that they were opened by. */
function opened(ledger: BatchLedger, acting: Acting, chunk = 0): ChunkOrder {
  const order = ledger.run((ctx) => openOrder(ctx, acting, chunk))
  if (!order) throw new Error('Nothing to open.')
  const items = order.items.map(({ position }) => itemJob(position))
  ledger.run((ctx) => openItemJobs(ctx, acting, triedOf(order), items))
  return order
}

/** Runs a job of an item to this end. */
function ran(ledger: BatchLedger, { id, attempt }: JobRecord, end: 'succeeds' | 'fails'): void {
  const request = { messageId: `m-${id}`, jobId: id, attempt: attempt + 1 }
  ledger.run((ctx) => claimJob(ctx, request, () => true))
  const outcome =
    end === 'succeeds'
      ? ({ kind: 'completed', output: '{"summary":"a"}', outputRef: null } as const)
      : ({ kind: 'failed', class: 'permission_denied', retryAfterMs: null } as const)
  const usage = { inputTokens: 3, outputTokens: 2 }
  const settlement = { jobId: id, attempt: attempt + 1, outcome, usage, providerRequestId: null }
  ledger.run((ctx) => settleJob(ctx, settlement))
}

const gathered = (ledger: BatchLedger, acting: Acting, order: ChunkOrder) =>
  ledger.run((ctx) => endGathering(ctx, acting, answerTo(order, 'sss')))

/** A batch whose chunk is at a provider that never answers. */
function stuck(ledger: BatchLedger, more: Parameters<typeof startedBatch>[2] = {}) {
  const acting = startedBatch(ledger, plannedChunks([3]), more)
  lookWork(ledger, acting)
  const submission = ledger.run((ctx) => beginSubmission(ctx, acting, 0, false))
  if (submission.kind === 'none') throw new Error('Nothing to submit.')
  const outcome = { kind: 'accepted', providerRequestId: 'req' } as const
  ledger.run((ctx) => endSubmission(ctx, acting, triedOf(submission.order), outcome))
  return { acting, order: submission.order }
}

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
    const order = ledger.run((ctx) => gatherOrder(ctx, acting, 0)) as ChunkOrder
    expect(lookWork(ledger, acting).gather).toEqual([0])
    gathered(ledger, acting, order)
    expect(ledger.run((ctx) => lookAtBatch(ctx, acting, false))).toEqual({ kind: 'over' })
    expect(ledger.chunk(acting.batchId, 0)?.state).toBe('collected')
  })
})

describe('a batch that waits for its provider', () => {
  it('expires at its deadline, costs its estimate, and is called off', () => {
    const ledger = new BatchLedger()
    const { acting, order } = stuck(ledger)

    ledger.pass(3_600_000)
    ledger.run(sweepBatchDeadlines)
    expect(ledger.snapshot(acting.batchId)).toMatchObject({
      status: 'expired',
      counts: { expired: 3 },
      usage: { costMicroUsd: 30_000 },
    })
    expect(lookWork(ledger, acting).callOff).toEqual([0])
    expect(lookWork(ledger, acting).callOff).toEqual([0])
    expect(ledger.run((ctx) => lookAtBatch(ctx, acting, false))).toEqual({ kind: 'over' })
    ledger.run((ctx) => noteAnswers(ctx, acting, [answerTo(order, 'sss')]))

    expect(ledger.snapshot(acting.batchId)).toMatchObject({
      counts: { expired: 3 },
      usage: { costMicroUsd: 30_000 },
    })
  })

  it('runs singly from its deadline on, if asked to, and an answer that comes then only costs', () => {
    const ledger = new BatchLedger()
    const { acting, order } = stuck(ledger, { onDeadline: 'run_individually' })

    ledger.pass(3_600_000)
    expect(lookWork(ledger, acting)).toMatchObject({ open: [0], callOff: [0], poll: [] })
    ledger.run((ctx) => noteAnswers(ctx, acting, [answerTo(order, 'sss')]))
    expect(ledger.snapshot(acting.batchId).counts).toMatchObject({ pending: 3 })
    const singly = opened(ledger, acting)
    expect(singly).toMatchObject({ epoch: 1, tries: 1 })
    for (const job of jobsIn(ledger, acting.batchId)) ran(ledger, job, 'succeeds')
    gathered(ledger, acting, singly)

    expect(ledger.snapshot(acting.batchId)).toMatchObject({
      status: 'completed',
      usage: { costMicroUsd: 60_000 },
    })
  })

  it('is seen by operators, who can let it wait, run singly or be cancelled', () => {
    const ledger = new BatchLedger()
    const { acting } = stuck(ledger)
    expect(ledger.run(listStalledBatches)).toEqual([])
    ledger.pass(60_000)

    expect(ledger.run(listStalledBatches)).toMatchObject([
      { batch: { id: acting.batchId }, chunks: [{ chunk: 0 }] },
    ])
    ledger.run((ctx) => decideBatch(ctx, acting.batchId, 'wait'))
    expect(ledger.run(listStalledBatches)).toEqual([])
    ledger.pass(60_000)
    expect(ledger.run(listStalledBatches)).toHaveLength(1)
    ledger.run((ctx) => decideBatch(ctx, acting.batchId, 'run_individually'))
    expect(ledger.run(listStalledBatches)).toEqual([])
    expect(lookWork(ledger, acting).open).toEqual([0])
    expect(ledger.run((ctx) => decideBatch(ctx, acting.batchId, 'cancel'))).toMatchObject({
      value: { status: 'cancelled', counts: { cancelled: 3 } },
    })
    expect(ledger.run((ctx) => decideBatch(ctx, acting.batchId, 'wait'))).toMatchObject({
      refusal: { code: 'batch-settled' },
    })
  })
})

describe('cancelling', () => {
  it('stops what is pending, keeps what has finished, and says to the cent what was charged', () => {
    const ledger = new BatchLedger()
    const chunks = [...plannedChunks([2]), ...plannedChunks([3], { path: 'jobs', runs: [[2, 3]] })]
    const acting = startedBatch(ledger, chunks)
    lookWork(ledger, acting)
    opened(ledger, acting, 1)
    const [first, second] = jobsIn(ledger, acting.batchId) as [JobRecord, JobRecord]
    ran(ledger, first, 'succeeds')
    const claim = { messageId: 'm', jobId: second.id, attempt: 1 }
    ledger.run((ctx) => claimJob(ctx, claim, () => true))
    const call = callAt(ledger.now, 'cancel')

    const receipt = ledger.run((ctx) => cancelBatch(ctx, call, acting.batchId))

    expect(receipt).toMatchObject({
      value: {
        replayed: false,
        value: {
          batch: { status: 'cancelled', counts: { succeeded: 1, cancelled: 4, pending: 0 } },
          stopped: 4,
          alreadyFinished: 1,
          chargedMicroUsd: 20_000,
        },
      },
    })
    expect(ledger.run((ctx) => cancelBatch(ctx, { ...call, id: 'x' }, acting.batchId))).toMatchObject({
      value: { replayed: true },
    })
    expect(ledger.run((ctx) => cancelBatch(ctx, callAt(ledger.now), acting.batchId))).toMatchObject({
      refusal: { code: 'batch-settled' },
    })
    const late = { kind: 'completed', output: '{}', outputRef: null } as const
    const usage = { inputTokens: 1, outputTokens: 1 }
    ledger.run((ctx) =>
      settleJob(ctx, { jobId: second.id, attempt: 1, outcome: late, usage, providerRequestId: null }),
    )
    expect(ledger.snapshot(acting.batchId)).toMatchObject({
      counts: { succeeded: 1, cancelled: 4 },
      usage: { costMicroUsd: 20_000 },
    })
    expect(lookWork(ledger, acting)).toMatchObject({ gather: [1], submit: [], open: [] })
  })

  it('calls off a chunk that was being submitted meanwhile, and charges it once', () => {
    const ledger = new BatchLedger()
    const acting = startedBatch(ledger, plannedChunks([2]))
    lookWork(ledger, acting)
    const submission = ledger.run((ctx) => beginSubmission(ctx, acting, 0, false))
    if (submission.kind === 'none') throw new Error('Nothing to submit.')

    const receipt = ledger.run((ctx) => cancelBatch(ctx, callAt(ledger.now), acting.batchId))
    const outcome = { kind: 'accepted', providerRequestId: 'late' } as const
    const acts = ledger.run((ctx) => endSubmission(ctx, acting, triedOf(submission.order), outcome))

    expect(receipt).toMatchObject({ value: { value: { stopped: 2, chargedMicroUsd: 20_000 } } })
    expect(acts).toBe(false)
    expect(lookWork(ledger, acting).callOff).toEqual([0])
    expect(ledger.snapshot(acting.batchId)).toMatchObject({ usage: { costMicroUsd: 20_000 } })
  })
})
