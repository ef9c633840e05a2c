import { describe, expect, it } from 'vitest'
import { claimJob } from '../claim.ts'
import type { JobRecord } from '../jobs.ts'
import { settleJob } from '../settle.ts'
import { BatchLedger, callAt, lookWork, plannedChunks, startedBatch } from './batches.fixture.ts'
import { cancelBatch } from './cancel-batch.ts'
import { jobsIn, opened, ran } from './item-jobs.fixture.ts'
import { lookAtBatch } from './look-at-batch.ts'
import { accepted, begun, ended } from './submissions.fixture.ts'

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
    const order = begun(ledger, acting)

    const receipt = ledger.run((ctx) => cancelBatch(ctx, callAt(ledger.now), acting.batchId))
    const acts = ended(ledger, acting, order, { ...accepted, providerRequestId: 'late' })

    expect(receipt).toMatchObject({ value: { value: { stopped: 2, chargedMicroUsd: 20_000 } } })
    expect(acts).toBe(false)
    expect(lookWork(ledger, acting).callOff).toEqual([0])
    expect(ledger.snapshot(acting.batchId)).toMatchObject({ usage: { costMicroUsd: 20_000 } })
  })

  it('calls off again a chunk that was being submitted meanwhile, when no answer came: it may have arrived since', () => {
    const ledger = new BatchLedger()
    const acting = startedBatch(ledger, plannedChunks([2]))
    lookWork(ledger, acting)
    const order = begun(ledger, acting)
    ledger.run((ctx) => cancelBatch(ctx, callAt(ledger.now), acting.batchId))
    for (const _ of [1, 2]) expect(lookWork(ledger, acting).callOff).toEqual([0])
    expect(ledger.run((ctx) => lookAtBatch(ctx, acting, false))).toEqual({ kind: 'over' })

    ended(ledger, acting, order, { kind: 'unanswered' })

    for (const _ of [1, 2]) expect(lookWork(ledger, acting).callOff).toEqual([0])
    expect(ledger.run((ctx) => lookAtBatch(ctx, acting, false))).toEqual({ kind: 'over' })
    expect(ledger.snapshot(acting.batchId)).toMatchObject({ usage: { costMicroUsd: 20_000 } })
  })
})
