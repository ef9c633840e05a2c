/** Evaluations of models: the same inputs through the present model and a candidate, before the candidate gets any customer's. */
import { z } from '@hono/zod-openapi'
import { NullableTimestamp, pageOf, pageQuery, Timestamp, Usd } from './common.ts'
import { closedEnum, openEnum, orNull } from './enums.ts'
import { modelId } from './evaluation-requests.ts'
import { Thresholds } from './evaluation-thresholds.ts'
import { Kind } from './job-words.ts'

export type { EvaluationThresholds } from './evaluation-thresholds.ts'

/** An evaluation has ended by then, whatever its models do. */
export const EVALUATION_MINUTES = 30

export const evaluationStatuses = ['running', 'passed', 'failed'] as const
export type EvaluationStatus = (typeof evaluationStatuses)[number]

const evaluationErrorClasses = ['internal', 'deadline_exceeded', 'model_changed'] as const
export type EvaluationErrorClass = (typeof evaluationErrorClasses)[number]

const Status = openEnum(
  'ModelEvaluationStatus',
  evaluationStatuses,
  'An evaluation fails when a check of its report does, or when it could not be done.',
)
const StatusFilter = closedEnum(
  'ModelEvaluationStatusFilter',
  evaluationStatuses,
  'Only evaluations with this status.',
)

const EvaluationError = z
  .object({
    class: openEnum(
      'ModelEvaluationErrorClass',
      evaluationErrorClasses,
      '`model_changed`: the catalog has another version of a model by now.',
    ),
    message: z.string().meta({ description: 'The same for a class each time, in words for people.' }),
  })
  .meta({ id: 'ModelEvaluationError', description: 'Why there is no report.' })

const figures = {
  id: z.string().meta({ example: 'eval_01kb9r2m5n000e4h7k0q3t6w9z2c' }),
  object: z.literal('model_evaluation'),
  status: Status,
  kind: Kind,
  present_model: z.string(),
  present_version: z.string(),
  candidate_model: z.string(),
  candidate_version: z.string().meta({ description: 'What a passing evaluation speaks for.' }),
  cases: z.int(),
  labelled_cases: z.int().meta({ description: 'Those that say what is expected.' }),
  thresholds: Thresholds,
  created_by: z.string().meta({ description: 'The operator.' }),
  reason: z.string(),
  created_at: Timestamp,
  finished_at: NullableTimestamp,
  error: orNull(EvaluationError),
}

export const ModelEvaluation = z.object(figures).meta({
  id: 'ModelEvaluation',
  description: 'A comparison of a candidate model with the present one.',
})
export type ModelEvaluation = z.infer<typeof ModelEvaluation>

export const ModelEvaluationPage = pageOf('ModelEvaluationPage', ModelEvaluation)

export const checkNames = [
  'answers',
  'errors',
  'format',
  'empty_answers',
  'dimensions',
  'length',
  'unfounded',
  'latency_median',
  'latency_p95',
  'cost',
  'quality',
  'agreement',
] as const
export type CheckName = (typeof checkNames)[number]

const figure = z.number().nullable()

const Check = z
  .object({
    name: openEnum('ModelEvaluationCheckName', checkNames, 'What was checked.'),
    passed: z
      .boolean()
      .nullable()
      .meta({ description: 'Null where there was nothing to check by: without scores nothing passes.' }),
    present: figure.meta({ description: 'Of the present model.' }),
    candidate: figure.meta({ description: 'Of the candidate.' }),
    threshold: figure.meta({ description: 'What the candidate was held against.' }),
    detail: z.string().meta({ description: 'In words for people.' }),
  })
  .meta({ id: 'ModelEvaluationCheck', description: 'One check of a report.' })
export type EvaluationCheck = z.infer<typeof Check>

const CaseAnswer = z
  .object({
    class: z.string().nullable().meta({
      description: 'What it failed of, `not_attempted` where it was not asked; null for an answer.',
    }),
    attempts: z.int(),
    latency_ms: z.int().nullable().meta({ format: 'int64' }),
    cost_usd: Usd,
    length: z.int().nullable().meta({ description: 'In characters, of a summary or a report.' }),
    score: figure.meta({ description: 'From 0 to 1; null where nothing was expected.' }),
  })
  .meta({ id: 'ModelEvaluationAnswer', description: 'What one model made of one case, in figures.' })

const CaseReport = z
  .object({
    index: z.int(),
    present: CaseAnswer,
    candidate: CaseAnswer,
    agreement: figure.meta({ description: 'From 0 to 1; null where one did not answer.' }),
  })
  .meta({ id: 'ModelEvaluationCaseReport', description: 'What both made of one case.' })

const classCounts = z
  .record(z.string(), z.int())
  .meta({ description: 'How many cases failed of each class.' })

export const EvaluationReport = z
  .object({
    checks: z.array(Check),
    error_classes: z
      .object({ present: classCounts, candidate: classCounts })
      .meta({ id: 'ModelEvaluationErrorClasses', description: 'What cases failed of, by model.' }),
    cases: z.array(CaseReport),
    cost_usd: Usd.meta({ description: 'What the evaluation cost.' }),
    duration_ms: z.int().meta({ format: 'int64', description: 'From the request to the report.' }),
  })
  .meta({
    id: 'ModelEvaluationReport',
    description: 'Figures, classes and places of cases; never what they hold or what was answered.',
  })
export type EvaluationReport = z.infer<typeof EvaluationReport>

export const ModelEvaluationDetail = z
  .object({ ...figures, report: orNull(EvaluationReport).meta({ description: 'Null until the end.' }) })
  .meta({ id: 'ModelEvaluationDetail', description: 'An evaluation with its report.' })
export type ModelEvaluationDetail = z.infer<typeof ModelEvaluationDetail>

export const EvaluationQuery = z.object({
  ...pageQuery,
  status: StatusFilter.optional(),
  candidate_model: modelId.optional().meta({ description: 'Only evaluations of this model.' }),
})
export type EvaluationQuery = z.infer<typeof EvaluationQuery>
