/** Reading a batch: itself, its manifest, and where its results lie. */
import type { LedgerContext } from '../context.ts'
import { done, type Outcome, refused } from '../replies.ts'
import { isBatchOver } from './batch.ts'
import { type ChunkRow, chunksOf, pendingIn } from './chunks.ts'
import { readItems } from './manifest.ts'
import { errorCount } from './report.ts'
import { type BatchRow, batchSnapshot, findBatch } from './rows.ts'
import {
  type BatchSnapshot,
  chunkSnapshot,
  type ManifestPage,
  type ResultPart,
  type ResultParts,
} from './snapshots.ts'
import { numbersOf } from './statuses.ts'

export const noSuchBatch = refused('not-found', 'There is no such batch.')
export const contentGone = refused('content-deleted', 'The content of this batch has been deleted.')

const PLANNED_AGAIN_SECONDS = 5
const notPlanned = refused('manifest-not-ready', 'The items of the batch have not all been read yet.', {
  retryAfterSeconds: PLANNED_AGAIN_SECONDS,
})
/** Nothing to wait for, and no manifest of nothing either: nobody knows what the file holds. */
const neverPlanned = refused(
  'manifest-not-ready',
  'The batch ended before its items had been read; it will have no manifest.',
)

export function readBatch(ctx: Pick<LedgerContext, 'db' | 'now'>, id: string): Outcome<BatchSnapshot> {
  const batch = findBatch(ctx.db, id)
  return batch ? done(batchSnapshot(ctx, batch)) : noSuchBatch
}

export function batchManifest(
  ctx: LedgerContext,
  id: string,
  after: number | null,
  limit: number,
): Outcome<ManifestPage> {
  const batch = findBatch(ctx.db, id)
  if (!batch) return noSuchBatch
  if (!wasRead(batch)) return isBatchOver(batch.status) ? neverPlanned : notPlanned
  const first = after === null ? 0 : after + 1
  const end = Math.min(batch.items, first + limit)
  const items = readItems(ctx.db, id, numbersOf(end > first ? [[first, end - first]] : []))
  return done({
    batch: batchSnapshot(ctx, batch),
    chunks: chunksOf(ctx.db, id).map(chunkSnapshot),
    items: [...items].map(([index, item]) => ({ ...item, index })),
    nextAfter: end < batch.items ? end - 1 : null,
  })
}

/** One that failed of what was read has a manifest too, in which nothing is to be done. */
const wasRead = (batch: BatchRow) => batch.planned || errorCount(batch) > 0

/** Past its date a result is gone, even before it has been cleared away. */
export function batchParts(ctx: LedgerContext, id: string): Outcome<ResultParts> {
  const batch = findBatch(ctx.db, id)
  if (!batch) return noSuchBatch
  if (isGone(batch, ctx.now)) return contentGone
  const parts = chunksOf(ctx.db, id).map((row) => resultPart(row, ctx.now))
  return done({ batch: batchSnapshot(ctx, batch), parts })
}

function resultPart(row: ChunkRow, now: number): ResultPart {
  const { chunk, state, runs, deleteAfter, contentDeletedAt } = row
  const contentDeleted = contentDeletedAt !== null || (deleteAfter !== null && deleteAfter <= now)
  const outputRef = contentDeleted ? null : row.outputRef
  return { chunk, state, ended: row.items - pendingIn(row), runs, outputRef, contentDeleted }
}

const isGone = ({ contentDeletedAt, contentExpiresAt }: BatchRow, now: number) =>
  contentDeletedAt !== null || (contentExpiresAt !== null && contentExpiresAt <= now)
