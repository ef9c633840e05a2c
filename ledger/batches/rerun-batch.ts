/** Running a batch again, wholly or what is missing of it, as a new batch that begins with the same source. */
import { findModel, isAllowed, isOffered } from '../../catalog/models.ts'
import type { FieldError } from '../../openapi/common.ts'
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
import { batchRefusals } from './refusals.ts'
import { type BatchRow, findBatch } from './rows.ts'
import type { BatchSnapshot } from './snapshots.ts'
import { numbersOf, runsOf, statusAt } from './statuses.ts'

export interface RerunOrder {
  readonly mode: 'incomplete_only' | 'recompute_all'
  /** Null for the batch's own; so with all that follows. */
  readonly processingVersion: string | null
  readonly model: string | null
  /** JSON text. */
  readonly params: string | null
  readonly createdBy: string
  /** W3C Trace Context. */
  readonly traceparent: string
}

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
  const refusal = unfit(ctx, parent, order)
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

const invalid = (error: FieldError) =>
  refused('invalid-request', 'The batch cannot be run again like this.', { errors: [error] })

function unfit(ctx: LedgerContext, parent: BatchRow, order: RerunOrder) {
  const row = rowFor(parent, order)
  const fault = modelFault(ctx, row) ?? modeFault(parent, row, order)
  if (fault) return invalid(fault)
  const [refusal] = batchRefusals(ctx, { ...row, estimateMicroUsd: 0 })
  return refusal ?? null
}

function modelFault({ settings }: LedgerContext, row: Planned): FieldError | null {
  const model = findModel(row.model)
  if (!model || !isOffered(model, settings.providers)) return { pointer: '/model', detail: 'Unknown model.' }
  if (model.batch === null) return { pointer: '/model', detail: `${model.id} takes no batches.` }
  if (isAllowed(settings.providers, model.id, row.kind, row.confidentiality)) return null
  return {
    pointer: '/model',
    detail: `${model.id} is not allowed for the kind and confidentiality of the batch.`,
  }
}

function modeFault(parent: BatchRow, row: Planned, { mode }: RerunOrder): FieldError | null {
  const isAsBefore =
    row.processingVersion === parent.processingVersion &&
    row.model === parent.model &&
    row.modelVersion === parent.modelVersion
  return mode === 'recompute_all' && isAsBefore
    ? { pointer: '/processing_version', detail: 'Computing all again needs another one, or another model.' }
    : null
}

type Planned = ReturnType<typeof rowFor>

/** The parent's terms, but for what the order says otherwise, under the model's present version. */
function rowFor(parent: BatchRow, order: RerunOrder) {
  const model = findModel(order.model ?? parent.model)
  const { kind, confidentiality, retentionSeconds, metadata, maxCostMicroUsd } = parent
  const { sourceRef, itemsFileId, onInvalid, onDeadline, onDuplicate } = parent
  return {
    ...{ kind, confidentiality, retentionSeconds, metadata, maxCostMicroUsd },
    ...{ sourceRef, itemsFileId, onInvalid, onDeadline, onDuplicate },
    model: model?.id ?? order.model ?? parent.model,
    modelVersion: model?.version ?? parent.modelVersion,
    provider: model?.provider ?? parent.provider,
    processingVersion: order.processingVersion ?? parent.processingVersion,
    params: order.params ?? parent.params,
    createdBy: order.createdBy,
    traceparent: order.traceparent,
    parentBatchId: parent.id,
  }
}

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
