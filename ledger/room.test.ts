import { describe, expect, it } from 'vitest'
import { type AcceptRequest, acceptJob } from './accept.ts'
import type { LedgerContext } from './context.ts'
import { recordKey } from './idempotency.ts'
import { insertJob, unstarted } from './jobs.ts'
import { noOrders } from './orders.ts'
import { Room } from './room.ts'
import { memoryStore } from './sqlite.fixture.ts'
import { standingOf } from './tenant-standing.fixture.ts'

describe('a ledger', () => {
  it.each([
    [0, false],
    [7_999_999_999, false],
    [8_000_000_000, true],
    [12_000_000_000, true],
  ])('of %i bytes is full: %s', (bytes, full) => {
    expect(new Room(() => bytes).isFull(0)).toBe(full)
  })

  it('is measured at most every five seconds', () => {
    const sizes = [9e9, 1e9, 9e9]
    const room = new Room(() => sizes.shift() ?? 0)

    expect([0, 1, 4999, 5000, 9999, 10_000].map((now) => room.isFull(now))).toEqual([
      true,
      true,
      true,
      false,
      false,
      true,
    ])
    expect(sizes).toEqual([])
  })
})

describe('a ledger that is full', () => {
  const id = 'job_01jd0000000000000000000000000'
  const key = { hash: 'h', fingerprint: 'f' }
  const request = { jobId: id, key, kind: 'summarize', fileRefs: [], maxCostMicroUsd: null }
  const ask = (ctx: object) => acceptJob(ctx as LedgerContext, request as unknown as AcceptRequest)
  const full = () => ({
    standing: standingOf(),
    db: memoryStore(),
    now: 1,
    full: true,
    plan: { max_backlog: 10 },
    identity: { tenantId: 'acme', shard: 0 },
    orders: noOrders,
  })

  it('refuses new work and says why', () => {
    expect(ask(full())).toMatchObject({
      ok: false,
      refusal: { code: 'backlog-full', detail: expect.stringMatching(/storage/), retryAfterSeconds: 300 },
    })
  })

  it('still answers for work that it has accepted', () => {
    const ctx = full()
    recordKey(ctx.db, request.key, id, null, 1)
    insertJob(ctx.db, {
      ...unstarted,
      id,
      kind: 'summarize',
      model: 'm',
      modelVersion: '1',
      expectedTokens: 0,
      provider: 'p',
      priority: 'normal',
      confidentiality: 'internal',
      processingVersion: '1',
      createdBy: 'c',
      redriveOf: null,
      retentionSeconds: 1,
      estimateMicroUsd: 1,
      metadata: {},
      params: null,
      traceparent: null,
      fileIds: [],
      inputRef: null,
      output: null,
      input: null,
      createdAt: 1,
      dueAt: 1,
      deadlineAt: 2,
    })

    expect(ask(ctx)).toMatchObject({ ok: true, value: { job: { id } } })
  })
})
