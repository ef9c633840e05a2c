/** What polling brought: for each chunk its answer, a failure, or that there is nothing yet. */
import { doom } from '../content-refs.ts'
import type { LedgerContext } from '../context.ts'
import { log } from '../log.ts'
import { bookChunk, sensible } from './booking.ts'
import { type ChunkRow, findChunk, isCurrent, updateChunk } from './chunks.ts'
import { finishIfDone } from './end-batch.ts'
import { settleItems } from './end-chunk.ts'
import { failOrRetry } from './end-submission.ts'
import { actingFor, showLife } from './instances.ts'
import { pollDelayMs } from './look.ts'
import type { Acting, ChunkAnswer, Polled } from './protocol.ts'
import { type BatchRow, findBatch } from './rows.ts'
import { takeAnswers } from './statuses.ts'

/** What is known is noted even if it comes from an instance that was replaced; that is told by false. */
export function noteAnswers(ctx: LedgerContext, acting: Acting, polled: readonly Polled[]): boolean {
  const batch = findBatch(ctx.db, acting.batchId)
  if (!batch) return false
  if (batch.instance === acting.instance) showLife(ctx, batch)
  for (const one of polled) note(ctx, batch, one)
  finishIfDone(ctx, batch.id)
  return actingFor(ctx, acting) !== null
}

function note(ctx: LedgerContext, batch: BatchRow, polled: Polled): void {
  const row = findChunk(ctx.db, batch.id, polled.chunk)
  if (!row) return
  const isAwaited = isCurrent(row, polled) && row.state === 'submitted' && row.path === 'batch'
  if (!isAwaited) noteLate(ctx, batch, row, polled)
  else if (polled.kind === 'pending') wait(ctx, batch, row)
  else take(ctx, batch, row, polled)
}

type Arrived = Exclude<Polled, { kind: 'pending' }>

function take(ctx: LedgerContext, batch: BatchRow, row: ChunkRow, polled: Arrived): void {
  const booked = bookChunk(ctx, batch, row, row.tries, sensible(polled.usage))
  if (polled.kind === 'failed') failOrRetry(ctx, batch, row, polled, booked)
  else collect(ctx, batch, row, polled, booked)
}

/** Looked at again at the latest when it begins to count as stalled, so that this is told once: by the look that was due until then. */
function wait(ctx: LedgerContext, batch: BatchRow, row: ChunkRow): void {
  const { now, settings } = ctx
  const polls = row.polls + 1
  const dueAt = now + pollDelayMs(polls, settings.batchPoll, ctx.random)
  const stalledAt = row.stalledAt ?? Number.POSITIVE_INFINITY
  updateChunk(ctx.db, row, { polls, dueAt: now < stalledAt ? Math.min(dueAt, stalledAt) : dueAt })
  if (stalledAt <= now && (row.dueAt ?? 0) <= stalledAt)
    log('batch.stalled', { tenant_id: ctx.identity.tenantId, batch_id: batch.id, chunk: row.chunk })
}

function collect(
  ctx: LedgerContext,
  batch: BatchRow,
  row: ChunkRow,
  answer: ChunkAnswer,
  booked: object,
): void {
  const statuses = takeAnswers(row.statuses, answer.statuses)
  if (answer.statuses.length !== row.items || !/^[sf]*$/.test(answer.statuses))
    throw new Error('An answer that does not fit its chunk.')
  settleItems(ctx, batch, row, statuses, {
    ...booked,
    state: 'collected',
    dueAt: null,
    collectedAt: ctx.now,
    errors: answer.errors,
    usages: answer.usages,
    findings: answer.findings,
    modelVersion: answer.modelVersion,
    outputRef: answer.outputRef,
  })
}

/** It came twice, or too late: its cost is booked once, and an output that is not the chunk's is to go. */
function noteLate(ctx: LedgerContext, batch: BatchRow, row: ChunkRow, polled: Polled): void {
  if (polled.kind === 'pending') return
  updateChunk(ctx.db, row, bookChunk(ctx, batch, row, polled.tries, sensible(polled.usage)))
  if (polled.kind === 'answered' && polled.outputRef !== row.outputRef)
    doom(ctx.db, [polled.outputRef], ctx.now)
}
