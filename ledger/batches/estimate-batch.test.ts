import { describe, expect, it } from 'vitest'
import { BatchLedger, requestAt, startedBatch } from './batches.fixture.ts'
import { type BatchAsked, estimateBatch } from './estimate-batch.ts'

describe('an estimate', () => {
  it('names every reason against a batch, the weightiest first', () => {
    const ledger = new BatchLedger({ max_open_batches: 1, monthly_budget_usd: 0.05 })
    startedBatch(ledger)
    const { source, ...request } = requestAt(ledger.now)
    const keys = source.kind === 'inline' ? source.plan.manifest.map(({ key }) => key) : []
    const asked = { ...request, estimateMicroUsd: 20_000, maxCostMicroUsd: 10_000, keys }
    const state = ['cost-over-limit', 'backlog-full', 'budget-exhausted']

    const reasonsOf = (more: Partial<BatchAsked>) =>
      ledger.run((ctx) => estimateBatch(ctx, { ...asked, ...more }))

    expect(reasonsOf({})).toMatchObject({ value: { reasons: [...state, 'duplicate-items'] } })
    expect(reasonsOf({ onDuplicate: 'run' })).toMatchObject({ value: { reasons: state } })
    expect(reasonsOf({ keys: ['0'.repeat(32)] })).toMatchObject({ value: { reasons: state } })
  })
})
