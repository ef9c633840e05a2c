/** Batches that wait for their providers for too long, and what operators decide about them. */
import type { LedgerContext } from '../context.ts'
import { done, type Outcome } from '../replies.ts'
import { isBatchOver } from './batch.ts'
import { settled } from './cancel-batch.ts'
import { type ChunkRow, chunksOf, pendingIn, updateChunk } from './chunks.ts'
import { stopBatch } from './deadlines.ts'
import { noSuchBatch } from './read-batch.ts'
import { type BatchRow, batchSnapshot, findBatch, workedBatches } from './rows.ts'
import { runSingly } from './run-singly.ts'
import { type BatchSnapshot, type ChunkSnapshot, chunkSnapshot } from './snapshots.ts'

export interface StalledBatch {
  readonly batch: BatchSnapshot
  /** Since when the first of its chunks has been waiting too long. */
  readonly stalledAt: number
  readonly chunks: ChunkSnapshot[]
}

/** Those that are stalled longest first. */
export function listStalledBatches(ctx: LedgerContext): StalledBatch[] {
  const open = workedBatches(ctx.db).filter(({ status }) => !isBatchOver(status))
  return open
    .flatMap((batch): StalledBatch[] => {
      const stalled = chunksOf(ctx.db, batch.id).filter((row) => isStalled(row, ctx.now))
      if (stalled.length === 0) return []
      const stalledAt = Math.min(...stalled.map((row) => row.stalledAt ?? ctx.now))
      return [{ batch: batchSnapshot(ctx, batch), stalledAt, chunks: stalled.map(chunkSnapshot) }]
    })
    .toSorted((a, b) => a.stalledAt - b.stalledAt)
}

const isStalled = (row: ChunkRow, now: number) =>
  row.path === 'batch' && row.stalledAt !== null && row.stalledAt <= now && pendingIn(row) > 0

/** `wait`: it does not count as stalled for as long again. `run_individually`: all that is pending runs as single jobs. */
export type Decision = 'wait' | 'cancel' | 'run_individually'

export function decideBatch(ctx: LedgerContext, id: string, decision: Decision): Outcome<BatchSnapshot> {
  const batch = findBatch(ctx.db, id)
  if (!batch) return noSuchBatch
  if (isBatchOver(batch.status)) return settled(batch)
  if (decision === 'cancel') stopBatch(ctx, batch, 'c')
  else for (const row of chunksOf(ctx.db, id)) decideChunk(ctx, batch, row, decision)
  ctx.tally.woken.add(id)
  return done(batchSnapshot(ctx, findBatch(ctx.db, id) ?? batch))
}

function decideChunk(
  ctx: LedgerContext,
  batch: BatchRow,
  row: ChunkRow,
  decision: 'wait' | 'run_individually',
): void {
  if (decision === 'run_individually') runSingly(ctx, batch, row)
  else if (isStalled(row, ctx.now)) {
    const stalledAt = ctx.now + ctx.settings.batchStalledMs
    updateChunk(ctx.db, row, { stalledAt, dueAt: row.dueAt && Math.min(row.dueAt, stalledAt) })
  }
}
