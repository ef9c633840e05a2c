/** Evaluations of models as operators see them. */
import type { EvaluationRow } from '../../ledger/directory/evaluations.ts'
import { nullableTimestamp, timestamp } from '../../ledger/wire.ts'
import type {
  EvaluationErrorClass,
  ModelEvaluation,
  ModelEvaluationDetail,
} from '../../openapi/model-evaluations.ts'

const messages: Record<EvaluationErrorClass, string> = {
  internal: 'The service failed to evaluate the model.',
  deadline_exceeded: 'The evaluation did not end in time.',
  model_changed: 'One of the models has another version by now.',
}

export const evaluationView = (row: EvaluationRow): ModelEvaluation => ({
  id: row.id,
  object: 'model_evaluation',
  status: row.status,
  kind: row.kind,
  present_model: row.presentModel,
  present_version: row.presentVersion,
  candidate_model: row.candidateModel,
  candidate_version: row.candidateVersion,
  cases: row.cases,
  labelled_cases: row.labelledCases,
  thresholds: row.thresholds,
  created_by: row.createdBy,
  reason: row.reason,
  created_at: timestamp(row.createdAt),
  finished_at: nullableTimestamp(row.finishedAt),
  error: row.errorClass && { class: row.errorClass, message: messages[row.errorClass] },
})

export const evaluationDetailView = (row: EvaluationRow): ModelEvaluationDetail => ({
  ...evaluationView(row),
  report: row.report,
})
