import { describe, expect, it } from 'vitest'
import type { LedgerContext } from '../context.ts'
import { BatchLedger, callAt, lookWork, plannedChunks, startedBatch } from './batches.fixture.ts'
import { cancelBatch } from './cancel-batch.ts'
import { type AskedBatch, batchRefusals } from './refusals.ts'
import { sent } from './submissions.fixture.ts'

const batch: AskedBatch = {
  kind: 'embed',
  model: 'embedded/hash-1',
  provider: 'embedded',
  estimateMicroUsd: 20_000,
  maxCostMicroUsd: null,
}

const codes = (ledger: BatchLedger, more: Partial<AskedBatch> = {}, ctx: Partial<LedgerContext> = {}) =>
  ledger.run((own) =>
    Array.from(batchRefusals({ ...own, ...ctx }, { ...batch, ...more }), ({ refusal }) => refusal.code),
  )

describe('a batch', () => {
  it('may cost what it says that it may, and no more', () => {
    const ledger = new BatchLedger()

    expect(codes(ledger, { maxCostMicroUsd: 20_000 })).toEqual([])
    expect(codes(ledger, { maxCostMicroUsd: 19_999 })).toEqual(['cost-over-limit'])
  })

  it('may take what is left of the budget, and no more', () => {
    expect(codes(new BatchLedger({ monthly_budget_usd: 0.02 }))).toEqual([])
    expect(codes(new BatchLedger({ monthly_budget_usd: 0.01 }))).toEqual(['budget-exhausted'])
  })

  it('is not taken while its model is disabled or its intake paused, and the estimate names both', () => {
    const pause = { tenantId: 'acme', kind: 'embed', model: null, acceptedWork: 'run' as const }
    const models = { 'embedded/hash-1': { version: '1', enabled: false } }
    const orders = { revision: 1, pauses: [pause], models }

    expect(codes(new BatchLedger(), {}, { orders })).toEqual(['invalid-request', 'intake-paused'])
    expect(codes(new BatchLedger(), { kind: 'classify' }, { orders: { ...orders, models: {} } })).toEqual([])
  })

  it('is not taken by a ledger that is full', () => {
    expect(codes(new BatchLedger(), {}, { full: true })).toHaveLength(1)
  })

  it('on a test model is for tenants that have these', () => {
    expect(codes(new BatchLedger({ test_models: false }), { provider: 'test' })).toEqual(['invalid-request'])
    expect(codes(new BatchLedger({ test_models: false }))).toEqual([])
  })

  it('has to wait while as many are open as may be; those that have ended do not count, though worked for', () => {
    const ledger = new BatchLedger({ max_open_batches: 1 })
    const acting = startedBatch(ledger, plannedChunks([1]))
    lookWork(ledger, acting)
    sent(ledger, acting)
    expect(codes(ledger)).toEqual(['backlog-full'])

    ledger.run((ctx) => cancelBatch(ctx, callAt(ledger.now), acting.batchId))

    expect(ledger.row(acting.batchId).dueAt).not.toBeNull()
    expect(codes(ledger)).toEqual([])
  })
})
