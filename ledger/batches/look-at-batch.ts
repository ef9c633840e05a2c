/** A look of a batch's Workflow: time is let pass first, then the ledger says what is to be done. */
import type { LedgerContext } from '../context.ts'
import { mayStart } from '../startable.ts'
import { roomForItems } from './backlog.ts'
import { isBatchOver } from './batch.ts'
import { type ChunkBrief, chunkBriefs, updateChunk } from './chunks.ts'
import { enforceDeadline } from './deadlines.ts'
import { finishIfDone } from './end-batch.ts'
import { instanceOf } from './instances.ts'
import { type LookedAt, type LookLimits, look } from './look.ts'
import { copyOrder } from './own-source.ts'
import { freePlaces } from './places.ts'
import type { Acting, Look, PlanOrder } from './protocol.ts'
import { type BatchChange, type BatchRow, findBatch, moveBatch, updateBatch } from './rows.ts'

export function lookAtBatch(ctx: LedgerContext, acting: Acting, suspended: boolean): Look {
  const found = instanceOf(ctx, acting)
  if (!found || found.dueAt === null) return { kind: 'over' }
  enforceDeadline(ctx, found)
  finishIfDone(ctx, acting.batchId)
  const batch = findBatch(ctx.db, acting.batchId)
  if (!batch) return { kind: 'over' }
  const answer = answerFor(ctx, batch, suspended)
  showSign(ctx, batch, answer)
  return answer
}

function answerFor(ctx: LedgerContext, batch: BatchRow, suspended: boolean): Look {
  const over = isBatchOver(batch.status)
  if (!over && !batch.planned) return towardsPlan(ctx, batch)
  const chunks = chunkBriefs(ctx.db, batch.id)
  const work = look(chunks.map(viewFor(ctx, batch)), limitsFor(ctx, suspended), ctx.now)
  if (over && work.waitMs !== null) return { kind: 'over' }
  for (const row of chunks.filter(({ callOffs }) => callOffs > 0))
    updateChunk(ctx.db, row, { callOffs: row.callOffs - 1 })
  return { ...work, model: batch.model }
}

function towardsPlan(ctx: LedgerContext, batch: BatchRow): Look {
  const copy = copyOrder(ctx, batch)
  return copy ? { kind: 'copy', order: copy } : { kind: 'plan', order: planOrder(batch) }
}

/** The Workflow lives, and will show itself again within what it was told to wait. */
function showSign(ctx: LedgerContext, batch: BatchRow, answer: Look): void {
  const { now } = ctx
  const waitMs = answer.kind === 'work' ? (answer.waitMs ?? 0) : 0
  const dueAt = answer.kind === 'over' ? null : now + waitMs + ctx.settings.batchGraceMs
  const sign: BatchChange = { progressAt: now, dueAt }
  if (batch.status === 'accepted') moveBatch(ctx, batch, 'begin', { ...sign, startedAt: now })
  else updateBatch(ctx.db, batch.id, sign)
}

const planOrder = (batch: BatchRow): PlanOrder => ({
  kind: batch.kind,
  model: batch.model,
  modelVersion: batch.modelVersion,
  processingVersion: batch.processingVersion,
  confidentiality: batch.confidentiality,
  retentionSeconds: batch.retentionSeconds,
  params: batch.params,
  onInvalid: batch.onInvalid,
  sourceRef: batch.sourceRef,
  lines: batch.lines,
})

const viewFor =
  (ctx: LedgerContext, batch: BatchRow) =>
  (row: ChunkBrief): LookedAt => ({ ...row, allowed: mayRun(ctx, batch, row) })

/** As with jobs: what catalog, deployment and operators do not allow (any more) waits. */
export const mayRun = (ctx: LedgerContext, { model, kind }: BatchRow, { confidentiality }: ChunkBrief) =>
  mayStart(ctx, { model, kind, confidentiality })

const limitsFor = (ctx: LedgerContext, suspended: boolean): LookLimits => ({
  freePlaces: freePlaces(ctx),
  hasRoomForItems: roomForItems(ctx) > 0,
  suspended,
  longestWaitMs: ctx.settings.batchPoll.capMs,
})
