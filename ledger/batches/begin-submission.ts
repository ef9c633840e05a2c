/** The beginning of a submission: the intent is on record before the chunk is sent. */
import type { LedgerContext } from '../context.ts'
import { setAside } from './booking.ts'
import { type ChunkRow, findChunk, updateChunk } from './chunks.ts'
import { finishIfDone } from './end-batch.ts'
import { failChunk } from './end-chunk.ts'
import { actingFor, showLife } from './instances.ts'
import { mayRun } from './look-at-batch.ts'
import { orderOf } from './orders.ts'
import { freePlaces } from './places.ts'
import type { Acting, Submission } from './protocol.ts'
import type { BatchRow } from './rows.ts'

const none: Submission = { kind: 'none' }

/** What began is finished even while the tenant is suspended. */
export function beginSubmission(
  ctx: LedgerContext,
  acting: Acting,
  chunk: number,
  suspended: boolean,
): Submission {
  const batch = actingFor(ctx, acting)
  const row = batch && findChunk(ctx.db, batch.id, chunk)
  if (!row || row.path === 'jobs') return none
  showLife(ctx, batch)
  if (row.state === 'submitting') return { kind: 'reconcile', order: orderOf(ctx, batch, row) }
  if (suspended || !maySend(ctx, batch, row)) return none
  return noteIntent(ctx, batch, row)
}

/** Nothing is sent before this is on record. */
function noteIntent(ctx: LedgerContext, batch: BatchRow, row: ChunkRow): Submission {
  const set = setAside(ctx, row)
  if (set === null) {
    failChunk(ctx, batch, row, 'budget_exhausted')
    finishIfDone(ctx, batch.id)
    return none
  }
  const intent = {
    state: 'submitting',
    tries: row.tries + 1,
    intentAt: ctx.now,
    providerRequestId: null,
  } as const
  updateChunk(ctx.db, row, { ...set, ...intent })
  return { kind: 'submit', order: orderOf(ctx, batch, { ...row, ...intent }) }
}

const maySend = (ctx: LedgerContext, batch: BatchRow, row: ChunkRow) =>
  row.state === 'planned' &&
  (row.dueAt ?? 0) <= ctx.now &&
  ctx.now < batch.deadlineAt &&
  mayRun(ctx, batch, row) &&
  freePlaces(ctx) > 0
