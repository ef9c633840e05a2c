import { describe, expect, it } from 'vitest'
import { BatchLedger, lookWork, plannedChunks, startedBatch, triedOf } from './batches.fixture.ts'
import { beginSubmission } from './begin-submission.ts'
import { updateChunk } from './chunks.ts'
import type { Acting, ChunkOrder, Polled } from './protocol.ts'
import { begun, noted, sent } from './submissions.fixture.ts'

const none = { kind: 'none' }

const asked = (ledger: BatchLedger, acting: Acting, suspended = false) =>
  ledger.run((ctx) => beginSubmission(ctx, acting, 0, suspended))

/** Work was done for it, and it is to be done again. */
const notUnderstood = (order: ChunkOrder): Polled => ({
  kind: 'failed',
  class: 'invalid_output',
  retryAfterMs: null,
  usage: { inputTokens: 1, outputTokens: 1 },
  ...triedOf(order),
})

describe('a chunk', () => {
  it('is not sent for a suspended tenant, but what began is reconciled', () => {
    const ledger = new BatchLedger()
    const acting = startedBatch(ledger, plannedChunks([2]))

    expect(asked(ledger, acting, true)).toEqual(none)
    begun(ledger, acting)

    expect(asked(ledger, acting, true)).toMatchObject({ kind: 'reconcile' })
  })

  it.each(['submitted', 'collected', 'failed', 'unknown', 'cancelled'] as const)(
    'that is %s is not sent again',
    (state) => {
      const ledger = new BatchLedger()
      const acting = startedBatch(ledger, plannedChunks([2]))
      updateChunk(ledger.db, { batchId: acting.batchId, chunk: 0 }, { state, dueAt: null })

      expect(asked(ledger, acting)).toEqual(none)
    },
  )

  it('is sent until the deadline of its batch, and not at it', () => {
    const ledger = new BatchLedger()
    const acting = startedBatch(ledger, plannedChunks([2]))
    const { deadlineAt } = ledger.row(acting.batchId)

    ledger.now = deadlineAt
    expect(asked(ledger, acting)).toEqual(none)
    ledger.now = deadlineAt - 1
    expect(asked(ledger, acting)).toMatchObject({ kind: 'submit' })
  })

  it('is not sent to a provider that the deployment does not have (any more)', () => {
    const ledger = new BatchLedger()
    const acting = startedBatch(ledger, plannedChunks([2]), { kind: 'embed', model: 'workers-ai/bge-m3' })

    expect(asked(ledger, acting)).toEqual(none)
  })

  it('that is sent again bears no name that the provider gave it before', () => {
    const ledger = new BatchLedger()
    const acting = startedBatch(ledger, plannedChunks([2]))
    noted(ledger, acting, notUnderstood(sent(ledger, acting)))
    ledger.pass(1000)

    expect(begun(ledger, acting)).toMatchObject({ tries: 2, providerRequestId: null })
    expect(ledger.chunk(acting.batchId, 0)).toMatchObject({ providerRequestId: null })
  })

  it('that the budget has no room for any more ends its batch where it is the last', () => {
    const ledger = new BatchLedger({ monthly_budget_usd: 0.03 })
    const acting = startedBatch(ledger, plannedChunks([2]))
    lookWork(ledger, acting)
    noted(ledger, acting, notUnderstood(sent(ledger, acting)))
    ledger.pass(1000)

    expect(asked(ledger, acting)).toEqual(none)
    expect(ledger.snapshot(acting.batchId)).toMatchObject({ status: 'failed', counts: { failed: 2 } })
  })
})

describe('a Workflow that submits', () => {
  it('shows by that that it lives', () => {
    const ledger = new BatchLedger()
    const acting = startedBatch(ledger)
    lookWork(ledger, acting)
    ledger.pass(29_000)

    begun(ledger, acting)

    expect(ledger.row(acting.batchId)).toMatchObject({ dueAt: ledger.now + 30_000, progressAt: ledger.now })
  })
})
