/** From a valid request to an evaluation: what the catalog has to say to it, and where its inputs go. */
import type { Context } from 'hono'
import { kindOf } from '../../catalog/kinds.ts'
import { findModel, type Model } from '../../catalog/models.ts'
import { evaluationCasesKey } from '../../ledger/content.ts'
import {
  addEvaluation,
  EVALUATION_CONTENT_MS,
  EVALUATION_SILENT_MS,
  type EvaluationRow,
} from '../../ledger/directory/evaluations.ts'
import { openDirectory } from '../../ledger/directory/open.ts'
import type { Act } from '../../ledger/directory/operations.ts'
import { mintId, randomBytes } from '../../ledger/ids.ts'
import { errorName, log } from '../../ledger/log.ts'
import { type EvaluationMessage, MESSAGE_VERSION } from '../../ledger/messages.ts'
import { removeObjects } from '../../ledger/removal.ts'
import type { EvaluationRequest } from '../../openapi/evaluation-requests.ts'
import { thresholdsFor } from '../../openapi/evaluation-thresholds.ts'
import type { ModelEvaluationDetail } from '../../openapi/model-evaluations.ts'
import { storeOnce } from '../content.ts'
import { standingOrders } from '../orders.ts'
import type { GatewayContext } from '../router.ts'
import { evaluationDetailView } from '../views/model-evaluation.ts'
import { defaultFor, refuse } from './job-request.ts'

interface Models {
  readonly present: Model
  readonly candidate: Model
}

/** Throws the problem of models that cannot be compared. One that takes no work of customers can be. */
export async function modelsOf(c: Context<GatewayContext>, body: EvaluationRequest): Promise<Models> {
  const { kind, present_model, candidate_model } = body
  const present =
    present_model === undefined
      ? modelAt('/kind', defaultFor(kind, c.var.config.providers, (await standingOrders(c)).models), c, body)
      : modelAt('/present_model', findModel(present_model), c, body)
  const candidate = modelAt('/candidate_model', findModel(candidate_model), c, body)
  if (candidate === present)
    throw refuse({ pointer: '/candidate_model', detail: 'This is the present model.' })
  return { present, candidate }
}

function modelAt(
  pointer: string,
  model: Model | undefined,
  c: Context<GatewayContext>,
  { kind, cases }: EvaluationRequest,
): Model {
  if (!model) throw refuse({ pointer, detail: 'Unknown model.' })
  if (!model.kinds.includes(kind))
    throw refuse({ pointer, detail: `unsupported_kind: ${model.id} cannot ${kind}.` })
  if (!c.var.config.providers.has(model.provider))
    throw refuse({ pointer, detail: `The provider ${model.provider} is not configured here.` })
  const { inputTokens } = kindOf(kind)
  const tooLarge = cases.findIndex(({ input }) => inputTokens(input) > model.maxInputTokens)
  if (tooLarge >= 0)
    throw refuse({ pointer: `/cases/${tooLarge}/input`, detail: `Too large for ${model.id}.` })
  return model
}

/** Writes the inputs, then the row that refers to them; whatever becomes of the message, the row is there. */
export async function beginEvaluation(
  c: Context<GatewayContext>,
  body: EvaluationRequest,
  models: Models,
  actFor: (keep: ModelEvaluationDetail) => Act,
): Promise<ModelEvaluationDetail> {
  const row = newRow(body, models, c.var.principal.clientId, Date.now())
  const casesKey = evaluationCasesKey(row.id)
  await storeOnce(c.env.CONTENT, casesKey, JSON.stringify(body.cases))
  const view = evaluationDetailView(row)
  try {
    await addEvaluation(openDirectory(c.env.DIRECTORY), row, actFor(view))
  } catch (error) {
    await removeObjects(c.env.CONTENT, [casesKey]).catch(() => undefined)
    throw error
  }
  c.executionCtx.waitUntil(tellConsumers(c.env, row.id))
  return view
}

const newRow = (
  { kind, params, cases, thresholds, reason }: EvaluationRequest,
  { present, candidate }: Models,
  createdBy: string,
  now: number,
): EvaluationRow => ({
  id: mintId('eval', 0, now, randomBytes),
  status: 'running',
  kind,
  presentModel: present.id,
  presentVersion: present.version,
  candidateModel: candidate.id,
  candidateVersion: candidate.version,
  params: params ?? null,
  thresholds: thresholdsFor(thresholds),
  cases: cases.length,
  labelledCases: cases.filter(({ expected }) => expected !== undefined).length,
  createdBy,
  reason,
  createdAt: now,
  finishedAt: null,
  errorClass: null,
  report: null,
  lease: null,
  leaseUntil: 0,
  dueAt: now + EVALUATION_SILENT_MS,
  contentUntil: now + EVALUATION_CONTENT_MS,
})

/** A message that is lost costs time: the cron of the consumers sends another. */
async function tellConsumers({ EVALUATIONS }: GatewayEnv, evaluation_id: string): Promise<void> {
  try {
    await EVALUATIONS.send({ v: MESSAGE_VERSION, evaluation_id } satisfies EvaluationMessage)
  } catch (error) {
    log('evaluation.send_failed', { evaluation_id, error: errorName(error) })
  }
}
