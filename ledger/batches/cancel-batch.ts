/** Cancelling a batch: what is pending stops now, what has finished is kept, and the receipt says what was charged to the cent. */
import type { LedgerContext } from '../context.ts'
import { type Answered, type Call, once } from '../idempotency.ts'
import { done, type Outcome, refused } from '../replies.ts'
import { isBatchOver } from './batch.ts'
import { stopBatch } from './deadlines.ts'
import { figuresOf } from './figures.ts'
import { noSuchBatch } from './read-batch.ts'
import { type BatchRow, batchSnapshot, findBatch } from './rows.ts'
import type { CancelledBatch } from './snapshots.ts'

export const cancelBatch = (ctx: LedgerContext, call: Call, id: string): Outcome<Answered<CancelledBatch>> =>
  once(ctx, call, () => cancel(ctx, id))

function cancel(ctx: LedgerContext, id: string): Outcome<CancelledBatch> {
  const batch = findBatch(ctx.db, id)
  if (!batch) return noSuchBatch
  if (isBatchOver(batch.status)) return settled(batch)
  const { total, pending } = figuresOf(ctx, batch).counts
  stopBatch(ctx, batch, 'c')
  const snapshot = batchSnapshot(ctx, findBatch(ctx.db, id) ?? batch)
  return done({
    batch: snapshot,
    stopped: pending,
    alreadyFinished: total - pending,
    chargedMicroUsd: snapshot.usage?.costMicroUsd ?? 0,
  })
}

export const settled = ({ status }: BatchRow) =>
  refused('batch-settled', `The batch has already ended; its status is ${status}.`)
