/**
 * Retention of what batches hold: results go chunk by chunk on their dates, the source with the first of them. It holds the inputs
 * of all items in one object, so keeping it for the others would keep what is due.
 *
 * A Workflow may still write when its chunk's content goes, so folders are deleted once more when no step of it can live any longer.
 */
import { and, asc, isNotNull, isNull, lte, min } from 'drizzle-orm'
import { batchFolder, chunkFolder } from '../content.ts'
import { doom, holdersOf, releaseAllRefs, releaseRefs } from '../content-refs.ts'
import type { LedgerContext } from '../context.ts'
import { earliest } from '../earliest.ts'
import { letGoOf } from '../files.ts'
import { lastDeletionAt } from '../retention.ts'
import { batchChunks, batches } from '../schema.ts'
import { type Db, statement } from '../store.ts'
import { type ChunkRow, chunksOf, updateChunk } from './chunks.ts'
import { dropItemContent } from './item-jobs-end.ts'
import { type BatchRow, findBatch, updateBatch } from './rows.ts'

/** Chunks, and batches, whose content is deleted in one step. */
const PAGE = 50

/** All that is kept of the batch's content. It stays readable what the batch was. */
export function deleteBatchContent(ctx: LedgerContext, batch: BatchRow): void {
  for (const row of chunksOf(ctx.db, batch.id)) if (row.contentDeletedAt === null) forget(ctx, row)
  releaseSource(ctx, batch)
  releaseAllRefs(ctx.db, batch.id)
  doomFolder(ctx, batch, batchFolder(ctx.identity.tenantId, batch.id))
  updateBatch(ctx.db, batch.id, { contentDeletedAt: ctx.now, params: null, version: batch.version + 1 })
}

/** The chunk's object by name now: whoever asks again finds nothing. */
function forget(ctx: LedgerContext, row: ChunkRow): void {
  if (row.outputRef !== null) doom(ctx.db, [row.outputRef], ctx.now)
  dropItemContent(ctx, row)
  updateChunk(ctx.db, row, { contentDeletedAt: ctx.now, outputRef: null })
}

const doomFolder = (ctx: LedgerContext, { progressAt }: BatchRow, folder: string) =>
  doom(ctx.db, [folder], lastDeletionAt(progressAt ?? 0, ctx.now))

/** A file has a life of its own; items that came inline are nobody's but the batch's, and for moments its reruns'. */
export function releaseSource(ctx: LedgerContext, { id, sourceRef, itemsFileId }: BatchRow): void {
  releaseRefs(ctx.db, id, [sourceRef])
  if (itemsFileId !== null) letGoOf(ctx, [itemsFileId])
  else if (holdersOf(ctx.db, sourceRef).length === 0) doom(ctx.db, [sourceRef], ctx.now)
}

const { deleteAfter, contentDeletedAt } = batchChunks
const chunksExpiring = and(isNotNull(deleteAfter), isNull(contentDeletedAt))
const batchesExpiring = and(isNotNull(batches.contentExpiresAt), isNull(batches.contentDeletedAt))

/** Deletes content whose time is up, in steps. */
export function sweepBatchContent(ctx: LedgerContext): void {
  const chunks = ctx.db
    .select()
    .from(batchChunks)
    .where(and(chunksExpiring, lte(deleteAfter, ctx.now)))
    .orderBy(asc(deleteAfter))
    .limit(PAGE)
    .all()
  for (const row of chunks) expireChunk(ctx, row)
  const due = ctx.db
    .select()
    .from(batches)
    .where(and(batchesExpiring, lte(batches.contentExpiresAt, ctx.now)))
    .limit(PAGE)
    .all()
  for (const batch of due) deleteBatchContent(ctx, batch)
}

function expireChunk(ctx: LedgerContext, row: ChunkRow): void {
  const batch = findBatch(ctx.db, row.batchId)
  if (!batch) return
  forget(ctx, row)
  releaseSource(ctx, batch)
  doomFolder(ctx, batch, chunkFolder(ctx.identity.tenantId, batch.id, row.chunk))
}

const earliestChunk = statement((db) =>
  db
    .select({ at: min(deleteAfter) })
    .from(batchChunks)
    .where(chunksExpiring)
    .prepare(),
)
const earliestBatch = statement((db) =>
  db
    .select({ at: min(batches.contentExpiresAt) })
    .from(batches)
    .where(batchesExpiring)
    .prepare(),
)

/** When content of a batch is next due to be deleted; null when none is on record. */
export const nextBatchExpiry = (db: Db): number | null =>
  earliest([earliestChunk(db).get()?.at ?? null, earliestBatch(db).get()?.at ?? null])
