/** From a valid request body to what the ledger accepts: the stateless checks that a schema cannot say, defaults, estimate. */

import { defaultModelFor } from '../../catalog/defaults.ts'
import type { KindName } from '../../catalog/kind.ts'
import { kindOf } from '../../catalog/kinds.ts'
import { type Configured, findModel, type Model, type ModelStates, maySee } from '../../catalog/models.ts'
import type { AcceptRequest } from '../../ledger/accept.ts'
import { microUsd } from '../../ledger/wire.ts'
import type { FieldError } from '../../openapi/common.ts'
import type { JobRequest } from '../../openapi/jobs.ts'
import { Problem } from '../problem.ts'

const DEFAULT_DEADLINE_SECONDS = 86_400
const DEFAULT_RETENTION_SECONDS = 604_800

export const refuse = (error: FieldError) =>
  new Problem('invalid-request', {
    detail: 'The request does not fit the catalog of kinds and models.',
    errors: [error],
  })

/**
 * The model that the work runs on; throws the problem for one that is unknown here or not fit for it. Whether it is enabled matters only
 * where none is named: else that is for the ledger to ask, after the key.
 */
export function modelFor(
  request: Pick<JobRequest, 'kind' | 'model' | 'confidentiality'>,
  configured: Configured,
  states: ModelStates,
): Model {
  const { kind, model: asked, confidentiality = 'internal' } = request
  const model = asked === undefined ? defaultFor(kind, configured, states) : findModel(asked)
  if (!model || !configured.has(model.provider)) throw refuse({ pointer: '/model', detail: 'Unknown model.' })
  if (!model.kinds.includes(kind))
    throw refuse({ pointer: '/model', detail: `unsupported_kind: ${model.id} cannot ${kind}.` })
  if (!maySee(model, confidentiality))
    throw refuse({
      pointer: '/confidentiality',
      detail: `${model.id} may see content up to ${model.maxConfidentiality}.`,
    })
  return model
}

/** The model of a kind, where a request names none; throws the problem where there is none. */
export function defaultFor(kind: KindName, configured: Configured, states: ModelStates): Model {
  const model = defaultModelFor(kind, configured, states)
  if (!model) throw refuse({ pointer: '/kind', detail: `No model can ${kind} here.` })
  return model
}

type Checked = Omit<AcceptRequest, 'jobId' | 'key' | 'input' | 'inputRef' | 'createdBy' | 'traceparent'>

/** Everything of the request but its content and identity. */
export function checkedJob(body: JobRequest, configured: Configured, states: ModelStates): Checked {
  const model = modelFor(body, configured, states)
  const kind = kindOf(body.kind)
  const inputTokens = kind.inputTokens(body.input)
  if (inputTokens > model.maxInputTokens)
    throw refuse({ pointer: '/input', detail: `Too large for ${model.id}.` })
  return {
    kind: body.kind,
    model: model.id,
    modelVersion: model.version,
    provider: model.provider,
    params: body.params ? JSON.stringify(body.params) : null,
    metadata: body.metadata ?? {},
    fileRefs: kind.fileRefs(body.input),
    priority: body.priority ?? 'normal',
    deadlineSeconds: body.deadline_seconds ?? DEFAULT_DEADLINE_SECONDS,
    retentionSeconds: body.retention_seconds ?? DEFAULT_RETENTION_SECONDS,
    confidentiality: body.confidentiality ?? 'internal',
    processingVersion: body.processing_version ?? '1',
    inputTokens,
    maxCostMicroUsd: body.max_cost_usd === undefined ? null : microUsd(body.max_cost_usd),
  }
}
