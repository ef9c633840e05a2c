/** The outcome of a submission, and of any other try that failed. */
import type { LedgerContext } from '../context.ts'
import { judge } from '../judge.ts'
import { log } from '../log.ts'
import { isBatchOver } from './batch.ts'
import { bookChunk } from './booking.ts'
import { type ChunkChange, type ChunkRow, findChunk, isCurrent, updateChunk } from './chunks.ts'
import { finishIfDone } from './end-batch.ts'
import { CALL_OFFS, failChunk } from './end-chunk.ts'
import { actingFor } from './instances.ts'
import { pollDelayMs } from './look.ts'
import { placeFreed } from './places.ts'
import type { Acting, SubmissionOutcome, Tried } from './protocol.ts'
import { type BatchRow, findBatch, updateBatch } from './rows.ts'

/** What is known of a submission is noted even if it comes from an instance that was replaced; that is told by false. */
export function endSubmission(
  ctx: LedgerContext,
  acting: Acting,
  tried: Tried,
  outcome: SubmissionOutcome,
): boolean {
  const batch = findBatch(ctx.db, acting.batchId)
  const row = batch && findChunk(ctx.db, batch.id, tried.chunk)
  if (!row) return false
  if (outcome.kind === 'unanswered') noteUnanswered(ctx, batch, row, tried)
  else if (isCurrent(row, tried) && mayTake(row, outcome)) take(ctx, batch, row, outcome)
  else noteLate(ctx, batch, row, tried, outcome)
  return actingFor(ctx, acting) !== null
}

type Known = Exclude<SubmissionOutcome, { kind: 'unanswered' }>

/** That it was taken is worth knowing even after it had been set apart, or was to be sent again: so it is not sent twice. */
const mayTake = ({ state, path }: ChunkRow, { kind }: Known) =>
  path === 'batch' &&
  (state === 'submitting' || (kind === 'accepted' && (state === 'unknown' || state === 'planned')))

function take(ctx: LedgerContext, batch: BatchRow, row: ChunkRow, outcome: Known): void {
  if (outcome.kind === 'accepted') awaitAnswer(ctx, row, outcome.providerRequestId)
  else if (outcome.kind === 'unknown') setApart(ctx, batch, row)
  else failOrRetry(ctx, batch, row, outcome.kind === 'failed' ? outcome : neverArrived)
}

/** It is sent again, as often as after any other connection that broke. */
const neverArrived = { class: 'provider_unavailable', retryAfterMs: null } as const

function awaitAnswer(ctx: LedgerContext, row: ChunkRow, providerRequestId: string): void {
  const { now, settings } = ctx
  updateChunk(ctx.db, row, {
    state: 'submitted',
    providerRequestId,
    submittedAt: now,
    polls: 0,
    dueAt: now + Math.min(pollDelayMs(0, settings.batchPoll, ctx.random), settings.batchStalledMs),
    stalledAt: now + settings.batchStalledMs,
  })
}

/** Whether it arrived nobody can find out: it may have cost something, and is not sent again unless somebody says so. */
function setApart(ctx: LedgerContext, batch: BatchRow, row: ChunkRow): void {
  const booked = bookChunk(ctx, batch, row, row.tries, 'unknown')
  updateChunk(ctx.db, row, { ...booked, state: 'unknown', dueAt: null, stalledAt: ctx.now })
  log('batch.submission_unknown', { tenant_id: ctx.identity.tenantId, batch_id: batch.id, chunk: row.chunk })
  placeFreed(ctx)
}

/** As with a job: the class says how often it is tried. `more`: what else changes, such as the cost. */
export function failOrRetry(
  ctx: LedgerContext,
  batch: BatchRow,
  row: ChunkRow,
  failure: Parameters<typeof judge>[0],
  more: ChunkChange = {},
): void {
  const verdict = judge(failure, row.failures, ctx.settings.backoff, ctx.random)
  if (verdict.kind === 'fail') {
    failChunk(ctx, batch, row, failure.class, more)
    finishIfDone(ctx, batch.id)
  } else {
    const failures = { ...row.failures, [failure.class]: (row.failures[failure.class] ?? 0) + 1 }
    const again = { state: 'planned', dueAt: ctx.now + verdict.delayMs, stalledAt: null } as const
    updateChunk(ctx.db, row, { ...more, ...again, failures, lastErrorClass: failure.class })
    placeFreed(ctx)
  }
}

/**
 * The chunk was taken after it had been given up, as when its batch was cancelled meanwhile, or after it had been sent again. That
 * costs, unless it is booked already.
 */
function noteLate(ctx: LedgerContext, batch: BatchRow, row: ChunkRow, tried: Tried, outcome: Known): void {
  if (outcome.kind !== 'accepted') return
  if (row.tries !== tried.tries) updateChunk(ctx.db, row, bookChunk(ctx, batch, row, tried.tries, 'unknown'))
  else if (mayBeOut(row, tried)) callOff(ctx, batch, row, outcome.providerRequestId)
}

/** It was called off when it was given up, but may have arrived only after that. */
function noteUnanswered(ctx: LedgerContext, batch: BatchRow, row: ChunkRow, tried: Tried): void {
  if (row.tries === tried.tries && mayBeOut(row, tried)) callOff(ctx, batch, row, null)
}

const mayBeOut = (row: ChunkRow, { epoch }: Tried) =>
  (row.state === 'cancelled' || row.epoch !== epoch) && row.providerRequestId === null

function callOff(ctx: LedgerContext, batch: BatchRow, row: ChunkRow, providerRequestId: string | null): void {
  updateChunk(ctx.db, row, { providerRequestId, callOffs: CALL_OFFS })
  if (isBatchOver(batch.status)) updateBatch(ctx.db, batch.id, { dueAt: ctx.now + ctx.settings.batchGraceMs })
  ctx.tally.woken.add(batch.id)
}
