/** From a valid request body to what the ledger takes a batch with: the checks that a schema cannot say, and defaults. */
import type { Configured, Model, ModelStates } from '../../catalog/models.ts'
import type { BatchRequest as LedgerRequest } from '../../ledger/batches/plan.ts'
import { microUsd } from '../../ledger/wire.ts'
import type { BatchRequest } from '../../openapi/batch-requests.ts'
import { modelFor, refuse } from './job-request.ts'

const DEFAULT_DEADLINE_SECONDS = 86_400
const DEFAULT_RETENTION_SECONDS = 604_800

/** Everything of the request but its items and identity. */
export type CheckedBatch = Omit<LedgerRequest, 'call' | 'createdBy' | 'traceparent' | 'source'>

/** The model that the batch runs on; throws the problem for one that is unknown, not fit for it, or takes no batches. */
export function batchModelFor(
  body: Pick<BatchRequest, 'kind' | 'model' | 'confidentiality'>,
  configured: Configured,
  states: ModelStates,
): Model {
  const model = modelFor(body, configured, states)
  if (model.batch === null) {
    const pointer = body.model === undefined ? '/kind' : '/model'
    throw refuse({ pointer, detail: `${model.id} takes no batches.` })
  }
  return model
}

/** Throws the problem of a request that no batch can be made of. */
export function checkedBatch(body: BatchRequest, configured: Configured, states: ModelStates): CheckedBatch {
  const model = batchModelFor(body, configured, states)
  return {
    kind: body.kind,
    model: model.id,
    modelVersion: model.version,
    provider: model.provider,
    processingVersion: body.processing_version ?? '1',
    confidentiality: body.confidentiality ?? 'internal',
    retentionSeconds: body.retention_seconds ?? DEFAULT_RETENTION_SECONDS,
    deadlineSeconds: body.deadline_seconds ?? DEFAULT_DEADLINE_SECONDS,
    metadata: body.metadata ?? {},
    params: body.params ? JSON.stringify(body.params) : null,
    maxCostMicroUsd: body.max_cost_usd === undefined ? null : microUsd(body.max_cost_usd),
    onInvalid: body.on_invalid ?? 'fail',
    onDeadline: body.on_deadline ?? 'expire',
    onDuplicate: body.on_duplicate ?? 'refuse',
  }
}
