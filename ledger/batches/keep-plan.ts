/** Storing the plan of a batch: the manifest page by page, then its chunks, which makes the batch ready to be worked for. */
import { findModel } from '../../catalog/models.ts'
import { fitsBudget, reserve } from '../budget.ts'
import type { LedgerContext } from '../context.ts'
import { holdFiles, type LeasedFile, leasableFiles } from '../file-inputs.ts'
import type { LineError, ManifestItem } from '../schema.ts'
import { type ChunkRow, insertChunk } from './chunks.ts'
import { type Duplicate, findDuplicates } from './duplicates.ts'
import { endBatch } from './end-batch.ts'
import { actingFor, showLife } from './instances.ts'
import { dropPages, pagesOf, readManifest, writePages } from './manifest.ts'
import type { BatchPlan, PlannedChunk, PlanSummary } from './plan.ts'
import type { Acting } from './protocol.ts'
import { estimateOf } from './refusals.ts'
import { type BatchChange, type BatchRow, updateBatch } from './rows.ts'
import { PENDING } from './statuses.ts'

/** `over`: another instance acts for the batch, or it has ended. */
export type Sealed = 'planned' | 'failed' | 'over'

/** A plan that came with its batch. */
export function storePlan(ctx: LedgerContext, batch: BatchRow, plan: BatchPlan): BatchRow {
  writePages(ctx.db, batch.id, 0, pagesOf(plan.manifest))
  return storeChunks(ctx, batch, plan)
}

/** `fileIds`: files that the items of these pages need. */
export function keepPages(
  ctx: LedgerContext,
  acting: Acting,
  firstPage: number,
  pages: ManifestItem[][],
  fileIds: readonly string[],
): boolean {
  const batch = actingFor(ctx, acting)
  if (!batch) return false
  showLife(ctx, batch)
  if (!batch.planned) {
    writePages(ctx.db, batch.id, firstPage, pages)
    holdFiles(ctx.db, batch.id, fileIds)
  }
  return true
}

/** Of the IDs, those that are files of the tenant. */
export function batchFiles(ctx: LedgerContext, acting: Acting, ids: readonly string[]): LeasedFile[] {
  return actingFor(ctx, acting) ? leasableFiles(ctx, ids) : []
}

/** Decides whether the batch runs: nothing of it is sent before. */
export function sealPlan(ctx: LedgerContext, acting: Acting, summary: PlanSummary): Sealed {
  const batch = actingFor(ctx, acting)
  if (!batch) return 'over'
  if (batch.planned) return 'planned'
  const faults = faultsOf(ctx, batch, summary)
  if (faults === null) storeChunks(ctx, batch, summary)
  else refuse(ctx, batch, faults)
  return faults === null ? 'planned' : 'failed'
}

type Faults = Pick<PlanSummary, 'lineErrors' | 'invalidItems'>

function refuse(ctx: LedgerContext, batch: BatchRow, faults: Faults): void {
  dropPages(ctx.db, batch.id)
  endBatch(ctx, { ...batch, ...faults }, 'fail', faults)
}

/** What the batch fails of before anything is sent; null when it may run. */
function faultsOf(ctx: LedgerContext, batch: BatchRow, summary: PlanSummary): Faults | null {
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

function storeChunks(ctx: LedgerContext, batch: BatchRow, summary: PlanSummary): BatchRow {
  for (const [number, planned] of summary.chunks.entries())
    insertChunk(ctx.db, chunkRow(ctx, batch, number, planned))
  const { items, invalidItems, lineErrors } = summary
  const change: BatchChange = { planned: true, items, invalidItems, lineErrors, version: batch.version + 1 }
  updateBatch(ctx.db, batch.id, change)
  return { ...batch, ...change }
}

const untouched = {
  state: 'planned',
  epoch: 0,
  tries: 0,
  bookedTries: 0,
  callOffs: 0,
  deleteAfter: null,
  contentDeletedAt: null,
  succeeded: 0,
  failed: 0,
  cancelled: 0,
  expired: 0,
  inputTokens: 0,
  outputTokens: 0,
  costMicroUsd: 0,
  providerRequestId: null,
  intentAt: null,
  submittedAt: null,
  collectedAt: null,
  polls: 0,
  stalledAt: null,
  failures: {},
  lastErrorClass: null,
  modelVersion: null,
  outputRef: null,
  findings: null,
  errors: {},
  usages: null,
} as const satisfies Partial<ChunkRow>

function chunkRow(ctx: LedgerContext, batch: BatchRow, chunk: number, planned: PlannedChunk): ChunkRow {
  const { inputTokens, ...fields } = planned
  const output = Math.min(inputTokens, (findModel(batch.model)?.maxOutputTokens ?? 0) * planned.items)
  return {
    ...untouched,
    ...fields,
    ...reserve(ctx, planned.estimateMicroUsd),
    batchId: batch.id,
    chunk,
    dueAt: ctx.now,
    expectedTokens: inputTokens + output,
    statuses: PENDING.repeat(planned.items),
  }
}
