/** What time does to batches. SQL only, so that a batch ends by its deadline whatever has become of its Workflow. */
import type { LedgerContext } from '../context.ts'
import { earliest } from '../earliest.ts'
import type { Db } from '../store.ts'
import { isBatchOver } from './batch.ts'
import { chunksOf } from './chunks.ts'
import { endBatch, finishIfDone } from './end-batch.ts'
import { stopChunk } from './end-chunk.ts'
import { fateOf, lastDeadlineOf } from './look.ts'
import { type BatchRow, findBatch, workedBatches } from './rows.ts'
import { runSingly } from './run-singly.ts'
import type { Ended } from './statuses.ts'

export function sweepBatchDeadlines(ctx: LedgerContext): void {
  for (const batch of openBatches(ctx.db)) if (batch.deadlineAt <= ctx.now) enforceDeadline(ctx, batch)
}

/** When the next deadline of an open batch passes; null when there is none. */
export const nextBatchDeadline = (db: Db, now: number): number | null =>
  earliest(
    openBatches(db).map((batch) => (batch.deadlineAt > now ? batch.deadlineAt : lastDeadlineOf(batch))),
  )

const openBatches = (db: Db) => workedBatches(db).filter(({ status }) => !isBatchOver(status))

/** Does again, and changes nothing, what was done before. */
export function enforceDeadline(ctx: LedgerContext, batch: BatchRow): void {
  const fate = isBatchOver(batch.status) ? 'none' : fateOf(batch, ctx.now)
  if (fate === 'none') return
  if (fate === 'over' || (fate === 'expire' && !batch.planned)) stopBatch(ctx, batch, 'e')
  else leaveBatchPath(ctx, batch, fate)
}

/** What was to be answered by the provider's batch side will not be any more; what runs singly has its time left. */
function leaveBatchPath(ctx: LedgerContext, batch: BatchRow, fate: 'expire' | 'run_individually'): void {
  for (const row of chunksOf(ctx.db, batch.id)) {
    if (row.path === 'jobs') continue
    if (fate === 'expire') stopChunk(ctx, batch, row, 'e')
    else runSingly(ctx, batch, row)
  }
  finishIfDone(ctx, batch.id)
}

/** Ends all that is pending of the batch, and the batch with it. What has finished is kept. */
export function stopBatch(ctx: LedgerContext, batch: BatchRow, how: Extract<Ended, 'c' | 'e'>): void {
  for (const row of chunksOf(ctx.db, batch.id)) stopChunk(ctx, batch, row, how)
  const stopped = findBatch(ctx.db, batch.id)
  if (stopped) endBatch(ctx, stopped, how === 'c' ? 'cancel' : 'expire')
}
