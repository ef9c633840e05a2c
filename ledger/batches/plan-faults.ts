/** What a planned batch fails of before anything of it is sent. */
import { fitsBudget } from '../budget.ts'
import type { LedgerContext } from '../context.ts'
import type { LineError, ManifestItem, Unaffordable } from '../schema.ts'
import { findDuplicates, openIn } from './duplicates.ts'
import { wholly } from './faults.ts'
import { readManifest } from './manifest.ts'
import { MAX_FAULTS, type PlanSummary } from './plan.ts'
import { estimateOf } from './refusals.ts'
import { tooDear } from './report-checks.ts'
import type { BatchRow } from './rows.ts'

export interface PlanFaults {
  readonly found: Pick<BatchRow, 'invalidItems' | 'duplicateItems' | 'unaffordable'>
  /** For the report, beside the lines that are no items. */
  readonly told: LineError[]
}

const none = { duplicateItems: 0, unaffordable: null } as const

/** Null when it may run. */
export function faultsOf(ctx: LedgerContext, batch: BatchRow, summary: PlanSummary): PlanFaults | null {
  const { items, invalidItems, whole } = summary
  if (items === 0 && invalidItems === 0) return { found: { ...none, invalidItems: 1 }, told: [nothing] }
  if (items === 0 || (invalidItems > 0 && batch.onInvalid === 'fail'))
    return { found: { ...none, invalidItems }, told: whole ? [whole] : [] }
  const duplicates = batch.onDuplicate === 'refuse' ? duplicatesOf(ctx, batch) : []
  const unaffordable = unaffordableFor(ctx, batch, summary)
  if (duplicates.length === 0 && unaffordable === null) return null
  const room = Math.max(0, MAX_FAULTS - invalidItems)
  return {
    found: { invalidItems, duplicateItems: duplicates.length, unaffordable },
    told: [...duplicates.slice(0, room), ...(unaffordable === null ? [] : [costError(unaffordable)])],
  }
}

const nothing: LineError = { ...wholly, class: 'invalid_input', detail: 'There are no items.' }

function duplicatesOf(ctx: LedgerContext, batch: BatchRow): LineError[] {
  const manifest = readManifest(ctx.db, batch.id)
  const keys = manifest.map(({ key }) => key)
  return findDuplicates(ctx, batch, keys).flatMap((duplicate) => {
    const item = manifest[duplicate.index]
    return item ? [openError(item, openIn(duplicate))] : []
  })
}

const openError = ({ line, reference }: ManifestItem, detail: string): LineError => ({
  line,
  external_reference: reference,
  class: 'invalid_input',
  detail,
})

function unaffordableFor(ctx: LedgerContext, batch: BatchRow, summary: PlanSummary): Unaffordable | null {
  const estimate = estimateOf(summary)
  if (batch.maxCostMicroUsd !== null && estimate > batch.maxCostMicroUsd) return 'max_cost'
  return fitsBudget(ctx, estimate) ? null : 'budget'
}

const costError = (what: Unaffordable): LineError => ({
  ...wholly,
  class: 'budget_exhausted',
  detail: tooDear[what],
})
