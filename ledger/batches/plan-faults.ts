/** What a planned batch fails of before anything of it is sent. */
import { fitsBudget } from '../budget.ts'
import type { LedgerContext } from '../context.ts'
import type { LineError } from '../schema.ts'
import { type Duplicate, findDuplicates } from './duplicates.ts'
import { readManifest } from './manifest.ts'
import type { PlanSummary } from './plan.ts'
import { estimateOf } from './refusals.ts'
import type { BatchRow } from './rows.ts'

export type PlanFaults = Pick<PlanSummary, 'lineErrors' | 'invalidItems'>

/** Null when it may run. */
export function faultsOf(ctx: LedgerContext, batch: BatchRow, summary: PlanSummary): PlanFaults | null {
  const { items, invalidItems, lineErrors } = summary
  if (invalidItems > 0 && batch.onInvalid === 'fail') return { lineErrors, invalidItems }
  if (items === 0) return { lineErrors: [...lineErrors, ...nothing(invalidItems)], invalidItems }
  const doubled = batch.onDuplicate === 'refuse' ? duplicatesOf(ctx, batch) : []
  if (doubled.length > 0) return { lineErrors: doubled, invalidItems: doubled.length }
  const money = moneyFault(ctx, batch, summary)
  return money && { lineErrors: [...lineErrors, money], invalidItems }
}

const wholly = { line: 0, external_reference: null } as const

const nothing = (invalidItems: number): LineError[] =>
  invalidItems > 0 ? [] : [{ ...wholly, class: 'invalid_input', detail: 'There are no items.' }]

const duplicatesOf = (ctx: LedgerContext, batch: BatchRow): LineError[] =>
  findDuplicates(ctx, batch, readManifest(ctx.db, batch.id), batch.id).map(duplicateError)

const duplicateError = ({ item, batchId }: Duplicate): LineError => ({
  line: item.line,
  external_reference: item.reference,
  class: 'invalid_input',
  detail: `Open in ${batchId}.`,
})

function moneyFault(ctx: LedgerContext, batch: BatchRow, summary: PlanSummary): LineError | null {
  const estimate = estimateOf(summary)
  const failed = { ...wholly, class: 'budget_exhausted' } as const
  if (batch.maxCostMicroUsd !== null && estimate > batch.maxCostMicroUsd)
    return { ...failed, detail: 'The estimated cost of the batch is above max_cost_usd.' }
  if (fitsBudget(ctx, estimate)) return null
  return { ...failed, detail: "The estimate does not fit into what is left of the tenant's budget." }
}
