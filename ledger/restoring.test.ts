import { beforeEach, describe, expect, it } from 'vitest'
import { claimJob } from './claim.ts'
import { deskOn } from './desk.fixture.ts'
import type { Desk } from './desk.ts'
import { attemptsOf } from './job.ts'
import { findJob, insertJob, type JobRow, unstarted, updateJob } from './jobs.ts'
import { settleJob } from './settle.ts'
import { memoryStorage } from './sqlite.fixture.ts'
import { type Db, openStore } from './store.ts'
import { standingOf } from './tenant-standing.fixture.ts'

const DAY_MS = 86_400_000
const id = 'job_01jd0000000000000000000000000'

const row = (): JobRow => ({
  ...unstarted,
  id,
  kind: 'summarize',
  model: 'embedded/extract-1',
  modelVersion: '1',
  provider: 'embedded',
  expectedTokens: 10,
  estimateMicroUsd: 7,
  priority: 'normal',
  confidentiality: 'internal',
  processingVersion: '1',
  createdBy: 'c',
  redriveOf: null,
  retentionSeconds: 1,
  metadata: {},
  params: null,
  traceparent: null,
  fileIds: [],
  inputRef: null,
  output: null,
  input: '{"text":"a"}',
  createdAt: Date.now(),
  dueAt: 1,
  deadlineAt: Date.now() + DAY_MS,
})

let db: Db
let desk: Desk
beforeEach(() => {
  const storage = memoryStorage()
  db = openStore(storage, { calls: 0, rowsWritten: 0 })
  desk = deskOn(storage, db)
  desk.provision(standingOf())
})

const restored = (revision: number, restoreEpoch = 1, held = true) =>
  desk.provision(standingOf({}, { revision, restoreEpoch, held }))

const claim = (attempt: number) =>
  desk.work(null, (ctx) => claimJob(ctx, { messageId: `m-${attempt}`, jobId: id, attempt }, () => true))

const settle = (attempt: number) =>
  desk.work(null, (ctx) =>
    settleJob(ctx, {
      jobId: id,
      attempt,
      outcome: { kind: 'completed', output: '{"summary":"a"}', outputRef: null },
      usage: { inputTokens: 1, outputTokens: 1 },
      providerRequestId: null,
    }),
  )

describe('a new epoch', () => {
  it.each<[string, Partial<JobRow>, string, number, number]>([
    ['waits', { status: 'accepted' }, 'accepted', 0, 0],
    ['ran', { status: 'running', attempt: 2, settledAttempt: 1, bookedAttempt: 1 }, 'retrying', 2, 1],
    ['waits for another try', { status: 'retrying', attempt: 2, settledAttempt: 2 }, 'retrying', 2, 0],
  ])('finds a job that %s', (_, state, status, attempts, lostLeases) => {
    insertJob(db, row())
    updateJob(db, id, state)

    restored(2)

    const job = findJob(db, id)
    expect(job).toMatchObject({ status, lostLeases })
    expect([job?.attempt, job && attemptsOf(job)]).toEqual([1000 + attempts, attempts])
  })

  it('leaves a job alone that has ended', () => {
    insertJob(db, row())
    updateJob(db, id, { status: 'succeeded', dueAt: null, attempt: 1, settledAttempt: 1 })
    const before = findJob(db, id)

    restored(2)

    expect(findJob(db, id)).toEqual(before)
  })

  it('gives nothing to messages and attempts that are forgotten, and all to its own', () => {
    insertJob(db, row())
    restored(2)

    expect(claim(1)).toMatchObject({ notHeld: 'not_next' })
    expect(settle(1)).toMatchObject({ kind: 'superseded' })
    expect(claim(1001)).toMatchObject({ notHeld: 'not_allowed' })
    restored(3, 1, false)

    expect(claim(1001)).toMatchObject({ lease: { attempt: 1001, providerKey: `${id}-r1-0` } })
    expect(settle(1)).toMatchObject({ kind: 'superseded' })
    expect(settle(1001)).toMatchObject({ kind: 'settled', status: 'succeeded' })
  })

  it('begins once, however often the ledger hears of it', () => {
    insertJob(db, row())

    restored(2)
    restored(2)
    restored(3, 1, false)
    restored(1, 0, false)

    expect(findJob(db, id)?.attempt).toBe(1000)
    expect(desk.life?.standing).toMatchObject({ restoreEpoch: 1, held: false })
  })

  it('counts the jobs that it gives up', () => {
    insertJob(db, row())
    updateJob(db, id, { status: 'running', attempt: 5, lostLeases: 4 })
    desk.load()
    expect(desk.life?.open.total).toBe(1)

    restored(2)

    expect(findJob(db, id)).toMatchObject({ status: 'failed', errorClass: 'internal' })
    expect(desk.life?.open.total).toBe(0)
  })
})
