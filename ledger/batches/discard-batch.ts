/** Discarding a batch: its results go now, and with them what is kept of its items' content. Its manifest and figures stay. */
import type { LedgerContext } from '../context.ts'
import { type Answered, type Call, once } from '../idempotency.ts'
import { done, type Outcome, refused } from '../replies.ts'
import { isBatchOver } from './batch.ts'
import { deleteBatchContent } from './content.ts'
import { noSuchBatch } from './read-batch.ts'
import { type BatchRow, batchSnapshot, findBatch, moveBatch } from './rows.ts'
import type { BatchSnapshot } from './snapshots.ts'

/** Discarding again changes nothing. */
export const discardBatch = (ctx: LedgerContext, call: Call, id: string): Outcome<Answered<BatchSnapshot>> =>
  once(ctx, call, () => discard(ctx, id))

function discard(ctx: LedgerContext, id: string): Outcome<BatchSnapshot> {
  const batch = findBatch(ctx.db, id)
  if (!batch) return noSuchBatch
  if (!isBatchOver(batch.status)) return notSettled(batch)
  const discarded = moveBatch(ctx, batch, 'discard')
  if (discarded && discarded.contentDeletedAt === null) deleteBatchContent(ctx, discarded)
  return done(batchSnapshot(ctx, findBatch(ctx.db, id) ?? batch))
}

export const notSettled = ({ status }: BatchRow) =>
  refused('batch-not-settled', `The batch has not ended; its status is ${status}.`)
