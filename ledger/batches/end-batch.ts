/** The end of a batch: decided here alone, from what its chunks add up to. */
import type { LedgerContext } from '../context.ts'
import { letGoOf } from '../files.ts'
import { type BatchEvent, endingOf, isBatchOver } from './batch.ts'
import { awaitsGathering, type ChunkBrief, chunkBriefs, updateChunk } from './chunks.ts'
import { releaseSource } from './content.ts'
import { endJobsChunk } from './end-chunk.ts'
import { figuresOf } from './figures.ts'
import { borrowsSource } from './own-source.ts'
import { type BatchChange, type BatchRow, findBatch, moveBatch } from './rows.ts'

/** Ends the batch if nothing of it is pending and every output is in its place. */
export function finishIfDone(ctx: LedgerContext, batchId: string): void {
  const batch = findBatch(ctx.db, batchId)
  if (!batch?.planned || isBatchOver(batch.status)) return
  for (const row of chunkBriefs(ctx.db, batchId)) if (row.path === 'jobs') endJobsChunk(ctx, row)
  const { counts } = figuresOf(ctx, batch)
  if (counts.pending > 0 || chunkBriefs(ctx.db, batchId).some(awaitsGathering)) return
  endBatch(ctx, batch, endingOf(counts, batch.invalidItems))
}

/**
 * Ends the batch as it stands, once. Its content goes by date from now on; what its Workflow has left to do, gathering and calling
 * off, keeps it in work.
 */
export function endBatch(
  ctx: LedgerContext,
  batch: BatchRow,
  event: BatchEvent,
  more: BatchChange = {},
): void {
  const { now } = ctx
  const chunks = chunkBriefs(ctx.db, batch.id)
  const isLeft = chunks.some((row) => row.callOffs > 0 || awaitsGathering(row))
  const dueAt = isLeft ? now + ctx.settings.batchGraceMs : null
  const dates = { finishedAt: now, contentExpiresAt: now + retentionOf(batch, chunks) * 1000 }
  if (!moveBatch(ctx, batch, event, { ...more, ...dates, dueAt })) return
  for (const row of chunks) updateChunk(ctx.db, row, { deleteAfter: now + row.retentionSeconds * 1000 })
  if (batch.itemsFileId) letGoOf(ctx, [batch.itemsFileId])
  // It never came to copy what is its own.
  if (borrowsSource(batch)) releaseSource(ctx, batch)
  ctx.tally.woken.add(batch.id)
}

/** Of what is kept longest. */
const retentionOf = (batch: BatchRow, chunks: readonly ChunkBrief[]) =>
  chunks.length === 0
    ? batch.retentionSeconds
    : Math.max(...chunks.map(({ retentionSeconds }) => retentionSeconds))
