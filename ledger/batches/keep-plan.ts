/** Storing the plan of a batch: the manifest page by page, then its chunks, which makes the batch ready to be worked for. */
import type { LedgerContext } from '../context.ts'
import { holdFiles, type LeasedFile, leasableFiles } from '../file-inputs.ts'
import type { ManifestItem } from '../schema.ts'
import { chunkRow } from './chunk-rows.ts'
import { insertChunk } from './chunks.ts'
import { endBatch } from './end-batch.ts'
import type { FaultPage } from './faults.ts'
import { actingFor, showLife } from './instances.ts'
import { endFaults, writeFaults } from './kept-faults.ts'
import { dropPages, pagesOf, writePages } from './manifest.ts'
import type { BatchPlan, PlanSummary } from './plan.ts'
import { faultsOf, type PlanFaults } from './plan-faults.ts'
import type { Acting } from './protocol.ts'
import { type BatchChange, type BatchRow, updateBatch } from './rows.ts'

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

export function keepFaults(ctx: LedgerContext, acting: Acting, page: FaultPage): boolean {
  const batch = actingFor(ctx, acting)
  if (!batch) return false
  showLife(ctx, batch)
  if (!batch.planned) writeFaults(ctx.db, batch.id, page)
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
  endFaults(ctx.db, batch.id, summary.invalidItems, faults?.told ?? [])
  if (faults === null) storeChunks(ctx, batch, summary)
  else refuse(ctx, batch, faults)
  return faults === null ? 'planned' : 'failed'
}

function refuse(ctx: LedgerContext, batch: BatchRow, { found }: PlanFaults): void {
  dropPages(ctx.db, batch.id)
  endBatch(ctx, { ...batch, ...found }, 'fail', found)
}

function storeChunks(ctx: LedgerContext, batch: BatchRow, summary: PlanSummary): BatchRow {
  for (const [number, planned] of summary.chunks.entries())
    insertChunk(ctx.db, chunkRow(ctx, batch, number, planned))
  const { items, invalidItems } = summary
  const change: BatchChange = { planned: true, items, invalidItems, version: batch.version + 1 }
  updateBatch(ctx.db, batch.id, change)
  return { ...batch, ...change }
}
