/** The alternate path: what is pending of a chunk runs as single jobs from now on. */
import type { LedgerContext } from '../context.ts'
import { type ChunkRow, isOutNow, pendingIn, updateChunk } from './chunks.ts'
import { leaveProvider } from './end-chunk.ts'
import { placeFreed } from './places.ts'
import type { BatchRow } from './rows.ts'

/** The epoch grows: an answer that comes for the chunk as it was sent only costs, and that is booked already. */
export function runSingly(ctx: LedgerContext, batch: BatchRow, row: ChunkRow): void {
  if (row.path === 'jobs' || pendingIn(row) === 0) return
  const left = leaveProvider(ctx, batch, row)
  updateChunk(ctx.db, row, {
    ...left,
    path: 'jobs',
    state: 'planned',
    epoch: row.epoch + 1,
    dueAt: ctx.now,
    stalledAt: null,
  })
  if (isOutNow(row)) placeFreed(ctx)
  ctx.tally.woken.add(batch.id)
}
