/** The terms of a rerun: the parent's, but for what its order says otherwise, and why they would not do. */
import { findModel, isAllowed, isOffered } from '../../catalog/models.ts'
import type { FieldError } from '../../openapi/common.ts'
import type { LedgerContext } from '../context.ts'
import { refused } from '../replies.ts'
import type { ChunkRow } from './chunks.ts'
import { batchRefusals, estimateOf } from './refusals.ts'
import type { BatchRow } from './rows.ts'

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

export const invalid = (error: FieldError) =>
  refused('invalid-request', 'The batch cannot be run again like this.', { errors: [error] })

export function unfit(ctx: LedgerContext, parent: BatchRow, chunks: readonly ChunkRow[], order: RerunOrder) {
  const row = rowFor(parent, order)
  const fault = modelFault(ctx, row) ?? modeFault(parent, row, order)
  if (fault) return invalid(fault)
  const estimateMicroUsd = isSameModel(parent, row) ? leastEstimate(chunks, order.mode) : 0
  const [refusal] = batchRefusals(ctx, { ...row, estimateMicroUsd })
  return refusal ?? null
}

/**
 * What the rerun is estimated at, at the least: what is known before it is planned are the estimates of whole chunks, under the
 * model of the batch. The rest shows in its plan.
 */
const leastEstimate = (chunks: readonly ChunkRow[], mode: RerunOrder['mode']) =>
  estimateOf({ chunks: chunks.filter(({ succeeded }) => mode === 'recompute_all' || succeeded === 0) })

function modelFault({ settings, orders }: LedgerContext, row: Planned): FieldError | null {
  const model = findModel(row.model)
  if (!model || !isOffered(model, settings.providers, orders.models))
    return { pointer: '/model', detail: 'Unknown model.' }
  if (model.batch === null) return { pointer: '/model', detail: `${model.id} takes no batches.` }
  if (isAllowed(settings.providers, orders.models, model.id, row.kind, row.confidentiality)) return null
  return {
    pointer: '/model',
    detail: `${model.id} is not allowed for the kind and confidentiality of the batch.`,
  }
}

function modeFault(parent: BatchRow, row: Planned, { mode }: RerunOrder): FieldError | null {
  const isAsBefore = row.processingVersion === parent.processingVersion && isSameModel(parent, row)
  return mode === 'recompute_all' && isAsBefore
    ? { pointer: '/processing_version', detail: 'Computing all again needs another one, or another model.' }
    : null
}

const isSameModel = (parent: BatchRow, row: Planned) =>
  row.model === parent.model && row.modelVersion === parent.modelVersion

type Planned = ReturnType<typeof rowFor>

/** The parent's terms, but for what the order says otherwise, under the model's present version. */
export function rowFor(parent: BatchRow, order: RerunOrder) {
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
