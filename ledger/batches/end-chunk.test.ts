import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import type { FailureClass } from '../../openapi/job-words.ts'
import { claimJob } from '../claim.ts'
import { deadLetterOutbox, jobs, usageDays } from '../schema.ts'
import { settleJob } from '../settle.ts'
import type { TokenUsage } from '../usage.ts'
import {
  answerTo,
  BatchLedger,
  callAt,
  lookWork,
  plannedChunks,
  startedBatch,
  triedOf,
} from './batches.fixture.ts'
import { cancelBatch } from './cancel-batch.ts'
import { itemJob, jobsIn, opened, ran } from './item-jobs.fixture.ts'
import { openItemJobs } from './item-jobs.ts'
import { lookAtBatch } from './look-at-batch.ts'
import type { Acting, ChunkOrder, Polled } from './protocol.ts'
import { begun, ended, noted, sent, spent } from './submissions.fixture.ts'

beforeAll(() => void vi.spyOn(console, 'log').mockImplementation(() => undefined))
afterAll(() => vi.restoreAllMocks())

const cancel = (ledger: BatchLedger, { batchId }: Acting) =>
  ledger.run((ctx) => cancelBatch(ctx, callAt(ledger.now), batchId))

const failing = (order: ChunkOrder, failed: FailureClass, usage: TokenUsage | null): Polled => ({
  kind: 'failed',
  class: failed,
  retryAfterMs: null,
  usage,
  ...triedOf(order),
})

function out(ledger: BatchLedger) {
  const acting = startedBatch(ledger, plannedChunks([2]))
  lookWork(ledger, acting)
  return { acting, order: sent(ledger, acting) }
}

const letters = ({ db }: BatchLedger) => db.select().from(deadLetterOutbox).all().length
const days = ({ db }: BatchLedger) => db.select().from(usageDays).all()

describe('a chunk that fails for good', () => {
  it('costs what was counted, and has nothing set aside any more', () => {
    const ledger = new BatchLedger()
    const { acting, order } = out(ledger)

    noted(ledger, acting, failing(order, 'permission_denied', { inputTokens: 3, outputTokens: 0 }))

    expect(ledger.chunk(acting.batchId, 0)).toMatchObject({
      state: 'failed',
      inputTokens: 3,
      reservedMicroUsd: 0,
    })
    expect(spent(ledger)).toBe(20_000)
    expect(days(ledger)).toMatchObject([{ items: 2, succeeded: 0, failed: 2 }])
  })

  it('costs nothing more when an answer to it comes after all', () => {
    const ledger = new BatchLedger()
    const { acting, order } = out(ledger)
    noted(ledger, acting, failing(order, 'permission_denied', null))

    noted(ledger, acting, answerTo(order, 'ss'))

    expect(ledger.snapshot(acting.batchId)).toMatchObject({ status: 'failed', usage: null })
    expect(spent(ledger)).toBe(0)
  })

  it.each([
    ['permission_denied', 1],
    ['content_filtered', 0],
  ] as const)('of %s has %i dead letters', (failed, count) => {
    const ledger = new BatchLedger()
    const { acting, order } = out(ledger)

    noted(ledger, acting, failing(order, failed, null))

    expect(letters(ledger)).toBe(count)
  })
})

describe('a batch that is cancelled', () => {
  it('leaves its chunks that were collected, or of which nobody knows whether they arrived, what they are', () => {
    const ledger = new BatchLedger()
    const acting = startedBatch(ledger, plannedChunks([1, 1, 1]))
    lookWork(ledger, acting)
    noted(ledger, acting, answerTo(sent(ledger, acting, 0), 's'))
    ended(ledger, acting, begun(ledger, acting, 1), { kind: 'unknown' })

    cancel(ledger, acting)

    const states = [0, 1, 2].map((chunk) => ledger.chunk(acting.batchId, chunk)?.state)
    expect(states).toEqual(['collected', 'unknown', 'cancelled'])
    expect(ledger.snapshot(acting.batchId).counts).toMatchObject({ succeeded: 1, cancelled: 2 })
  })

  it('is charged nothing for a try that came to nothing, whatever is heard of it later', () => {
    const ledger = new BatchLedger()
    const acting = startedBatch(ledger, plannedChunks([2]))
    lookWork(ledger, acting)
    const order = begun(ledger, acting)
    ended(ledger, acting, order, { kind: 'failed', class: 'rate_limited', retryAfterMs: null })

    expect(cancel(ledger, acting)).toMatchObject({ value: { value: { chargedMicroUsd: 0 } } })
    noted(ledger, acting, answerTo(order, 'ss'))

    expect(ledger.snapshot(acting.batchId)).toMatchObject({ usage: null, counts: { cancelled: 2 } })
    expect(spent(ledger)).toBe(0)
  })

  it('ends its chunks of jobs: those without an output have nothing to gather, and their inputs go', () => {
    const ledger = new BatchLedger()
    const both = [0, 1].flatMap((at) => plannedChunks([2], { path: 'jobs', runs: [[2 * at, 2]] }))
    const acting = startedBatch(ledger, both)
    lookWork(ledger, acting)
    opened(ledger, acting, 0)
    const [first] = jobsIn(ledger, acting.batchId)
    if (first) ran(ledger, first, 'fails')

    cancel(ledger, acting)

    const states = [0, 1].map((chunk) => ledger.chunk(acting.batchId, chunk)?.state)
    expect(states).toEqual(['failed', 'cancelled'])
    expect(ledger.run((ctx) => lookAtBatch(ctx, acting, false))).toEqual({ kind: 'over' })
    const content = ledger.db.select({ at: jobs.contentExpiresAt }).from(jobs).all()
    expect(content).toEqual([{ at: ledger.now }, { at: ledger.now }])
  })

  it('has the outputs of jobs gathered, though not all items had got one', () => {
    const ledger = new BatchLedger()
    const acting = startedBatch(ledger, plannedChunks([2], { path: 'jobs' }))
    lookWork(ledger, acting)
    ledger.run((ctx) => openItemJobs(ctx, acting, { chunk: 0, epoch: 0, tries: 0 }, [itemJob(0)]))
    const [job] = jobsIn(ledger, acting.batchId)
    if (job) ran(ledger, job, 'succeeds')

    cancel(ledger, acting)

    expect(lookWork(ledger, acting)).toMatchObject({ gather: [0], open: [] })
  })

  it('is charged nothing for an attempt at a job that did no work', () => {
    const ledger = new BatchLedger()
    const acting = startedBatch(ledger, plannedChunks([1], { path: 'jobs' }))
    lookWork(ledger, acting)
    opened(ledger, acting)
    const jobId = jobsIn(ledger, acting.batchId)[0]?.id ?? ''
    ledger.run((ctx) => claimJob(ctx, { messageId: 'm', jobId, attempt: 1 }, () => true))
    const outcome = { kind: 'failed', class: 'rate_limited', retryAfterMs: null } as const
    const settlement = { jobId, attempt: 1, outcome, usage: null, providerRequestId: null }
    ledger.run((ctx) => settleJob(ctx, settlement))

    expect(cancel(ledger, acting)).toMatchObject({ value: { value: { stopped: 1, chargedMicroUsd: 0 } } })
    const usage = { inputTokens: 1, outputTokens: 1 }
    ledger.run((ctx) => settleJob(ctx, { ...settlement, usage }))
    expect(spent(ledger)).toBe(0)
  })

  it('counts the items that had ended as jobs once', () => {
    const ledger = new BatchLedger()
    const acting = startedBatch(ledger, plannedChunks([4], { path: 'jobs' }))
    lookWork(ledger, acting)
    opened(ledger, acting)
    const [first, second] = jobsIn(ledger, acting.batchId)
    if (first) ran(ledger, first, 'succeeds')
    if (second) ran(ledger, second, 'fails')

    cancel(ledger, acting)

    expect(days(ledger)).toMatchObject([{ jobs: 0, items: 4, succeeded: 1, failed: 1 }])
  })
})
