/** Running a batch again, wholly or what is missing of it, as a new batch that begins with the same source. */
import type { LedgerContext } from '../context.ts'
import { keptFiles } from '../files.ts'
import { type Answered, type Call, once } from '../idempotency.ts'
import { timeOf } from '../ids.ts'
import { done, type Outcome, refused } from '../replies.ts'
import type { Run } from '../schema.ts'
import { isBatchOver } from './batch.ts'
import { type ChunkRow, chunksOf } from './chunks.ts'
import { notSettled } from './discard-batch.ts'
import { readManifest } from './manifest.ts'
import { openBatch } from './open-batch.ts'
import { borrowsSource } from './own-source.ts'
import { contentGone, noSuchBatch } from './read-batch.ts'
import { invalid, type RerunOrder, rowFor, unfit } from './rerun-terms.ts'
import { type BatchRow, findBatch } from './rows.ts'
import type { BatchSnapshot } from './snapshots.ts'
import { numbersOf, runsOf, statusAt } from './statuses.ts'

export const rerunBatch = (
  ctx: LedgerContext,
  call: Call,
  id: string,
  order: RerunOrder,
): Outcome<Answered<BatchSnapshot>> => once(ctx, call, () => rerun(ctx, call.id, id, order))

function rerun(ctx: LedgerContext, newId: string, id: string, order: RerunOrder): Outcome<BatchSnapshot> {
  const parent = findBatch(ctx.db, id)
  if (!parent) return noSuchBatch
  if (!isBatchOver(parent.status)) return notSettled(parent)
  const chunks = chunksOf(ctx.db, id)
  if (isSourceGone(ctx, parent, chunks)) return contentGone
  if (failedUnplanned(parent)) return neverRan
  const refusal = unfit(ctx, parent, chunks, order)
  if (refusal) return refusal
  const lines = linesFor(ctx, parent, chunks, order.mode)
  if (lines?.length === 0) return invalid({ pointer: '/mode', detail: 'No item of the batch is incomplete.' })
  return done(openBatch(ctx, { ...rowFor(parent, order), ...datesOf(parent, newId), lines }, null))
}

/**
 * The source goes with the first content of the batch; a file that its owner has deleted may have gone before. A rerun that ended
 * before it had a source of its own has none: the batch that it reran may have it still.
 */
const isSourceGone = ({ db, now }: LedgerContext, parent: BatchRow, chunks: readonly ChunkRow[]) =>
  parent.contentDeletedAt !== null ||
  borrowsSource(parent) ||
  (parent.itemsFileId !== null && keptFiles(db, [parent.itemsFileId]).length === 0) ||
  (parent.contentExpiresAt ?? now) <= now ||
  chunks.some(({ contentDeletedAt, deleteAfter }) => contentDeletedAt !== null || (deleteAfter ?? now) <= now)

/** It would fail again by the same lines. One that was cancelled, or expired, before its plan was made can still be planned. */
const failedUnplanned = ({ status, planned }: BatchRow) => status === 'failed' && !planned

const neverRan = refused(
  'invalid-request',
  'The batch failed before any item was run, by what its report names. Mend that, and submit a new batch.',
)

/** As much time as the parent had. */
const datesOf = ({ createdAt, deadlineAt }: BatchRow, id: string) => ({
  id,
  deadlineAt: timeOf(id) + (deadlineAt - createdAt),
})

/** Lines of the source that the new batch takes; null for all of them, as where no plan was made. */
function linesFor(
  ctx: LedgerContext,
  parent: BatchRow,
  chunks: readonly ChunkRow[],
  mode: RerunOrder['mode'],
): Run[] | null {
  if (!parent.planned) return parent.lines
  const manifest = readManifest(ctx.db, parent.id)
  const wanted = mode === 'recompute_all' ? null : incomplete(chunks)
  const lines = manifest.flatMap(({ line }, index) => (wanted === null || wanted.has(index) ? [line] : []))
  return runsOf(lines)
}

/** Indexes of items that did not succeed. */
const incomplete = (chunks: readonly ChunkRow[]) =>
  new Set(
    chunks.flatMap(({ runs, statuses }) =>
      numbersOf(runs).filter((_, place) => statusAt(statuses, place) !== 'succeeded'),
    ),
  )
