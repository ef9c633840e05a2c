/** Evaluations of models: the same inputs through the present model and a candidate, before the candidate gets any customer's. */
import { z } from '@hono/zod-openapi'
import { type KindName, text } from '../catalog/kind.ts'
import { ClassifyText, classify } from '../catalog/kinds/classify.ts'
import { EmbedTexts, embed } from '../catalog/kinds/embed.ts'
import { ReportText, report } from '../catalog/kinds/report.ts'
import { SummarizeText, summarize } from '../catalog/kinds/summarize.ts'
import { NullableTimestamp, pageOf, pageQuery, Timestamp, Usd } from './common.ts'
import { closedEnum, openEnum, orNull } from './enums.ts'
import { TextThresholdsInput, Thresholds, ThresholdsInput } from './evaluation-thresholds.ts'
import { Kind } from './job-words.ts'
import { capitalised } from './jobs.ts'
import { someOf, where } from './members.ts'
import { Reason } from './ops.ts'

export type { EvaluationThresholds } from './evaluation-thresholds.ts'

export const MAX_CASES = 50
/** An evaluation has ended by then, whatever its models do. */
export const EVALUATION_MINUTES = 30

const modelId = z.string().min(1).max(128)

const common = {
  present_model: modelId.optional().openapi({ description: 'Default: the model of the kind.' }),
  candidate_model: modelId.openapi({
    description: 'What is to take its place. It need not be enabled.',
    example: 'embedded/hash-2',
  }),
  reason: Reason,
}

const ExpectedText = z
  .strictObject({
    phrases: z
      .array(text(500))
      .min(1)
      .max(20)
      .optional()
      .openapi({ description: 'What the answer should say; capitals do not count.' }),
    reference: text(20_000)
      .optional()
      .openapi({ description: 'A good answer: how far its words are those of the answer is the score.' }),
  })
  .refine(({ phrases, reference }) => phrases !== undefined || reference !== undefined, {
    error: 'At least one of phrases, reference.',
  })
  .openapi('ExpectedText', {
    description:
      'What a good summary or report holds: at least one of both; of two scores the mean is taken.',
    ...where({ hold: [someOf('phrases', 'reference')] }),
  })
const ExpectedGroups = z
  .strictObject({ groups: z.array(z.int().min(0).max(255)).min(2).max(256) })
  .openapi('ExpectedGroups', {
    description:
      'A number for each text; those with the same belong together. The score is the share of texts whose nearest neighbour is of their own group.',
  })
const ReportTexts = z
  .strictObject({ sources: z.array(ReportText).min(1).max(50) })
  .openapi('ReportTexts', { description: 'The sources of a report, all in the body.' })

const caseOf = <I extends z.ZodType, E extends z.ZodType>(input: I, expected: E) =>
  z.strictObject({ input, expected: expected.optional() })

const described = { description: 'An input, and what is expected of a good answer to it.' }

const SummarizeCase = caseOf(SummarizeText, ExpectedText).openapi('SummarizeEvaluationCase', described)
const ReportCase = caseOf(ReportTexts, ExpectedText).openapi('ReportEvaluationCase', described)
const ClassifyCase = caseOf(ClassifyText, text(200))
  .refine(({ input, expected }) => expected === undefined || input.labels.includes(expected), {
    path: ['expected'],
    error: 'Not one of the labels of the input.',
  })
  .openapi('ClassifyEvaluationCase', { description: 'An input, and the label that it should get.' })
const EmbedCase = caseOf(EmbedTexts, ExpectedGroups)
  .refine(({ input, expected }) => !expected || expected.groups.length === input.texts.length, {
    path: ['expected', 'groups'],
    error: 'Not one group for each text.',
  })
  .refine(({ expected }) => !expected || isApartAndTogether(expected.groups), {
    path: ['expected', 'groups'],
    error: 'Needs two groups, and one of two texts, at least.',
  })
  .openapi('EmbedEvaluationCase', { description: 'Texts, and which of them belong together.' })

/** Else every neighbour, or none, is right. */
function isApartAndTogether(groups: readonly number[]): boolean {
  const apart = new Set(groups).size
  return apart >= 2 && apart < groups.length
}

type EvaluatedKind = Exclude<KindName, 'transcribe'>

const requestOf = <K extends EvaluatedKind, P extends z.ZodType, C extends z.ZodType, T extends z.ZodType>(
  kind: K,
  { params }: { params: P },
  item: C,
  thresholds: T,
) =>
  z
    .strictObject({
      kind: z.literal(kind),
      ...common,
      thresholds: thresholds.optional(),
      params: params.optional(),
      cases: z.array(item).min(1).max(MAX_CASES).openapi({
        description: 'Inline, and never of a customer. Without any `expected` no evaluation passes.',
      }),
    })
    .openapi(`${capitalised(kind)}EvaluationRequest`, {
      description: `An evaluation by inputs of the kind \`${kind}\`.`,
    })

/** Who wants audio evaluated is told why not, instead of that the kind is none. */
const NO_AUDIO =
  'Must be one of: summarize, embed, classify, report. Inputs of an evaluation are inline, so none is audio.'

export const EvaluationRequest = z
  .discriminatedUnion(
    'kind',
    [
      requestOf('summarize', summarize, SummarizeCase, TextThresholdsInput),
      requestOf('embed', embed, EmbedCase, ThresholdsInput),
      requestOf('classify', classify, ClassifyCase, ThresholdsInput),
      requestOf('report', report, ReportCase, TextThresholdsInput),
    ],
    { error: NO_AUDIO },
  )
  .refine(
    ({ thresholds, cases }) =>
      !thresholds?.min_quality || cases.some(({ expected }) => expected !== undefined),
    {
      path: ['thresholds', 'min_quality'],
      error: 'No case says what is expected, so nothing is scored.',
    },
  )
  .openapi('ModelEvaluationRequest', {
    description: 'Inputs to run through both models; `kind` says what they and what is expected look like.',
  })
export type EvaluationRequest = z.infer<typeof EvaluationRequest>

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
    message: z.string().openapi({ description: 'The same for a class each time, in words for people.' }),
  })
  .openapi('ModelEvaluationError', { description: 'Why there is no report.' })

const figures = {
  id: z.string().openapi({ example: 'eval_01kb9r2m5n000e4h7k0q3t6w9z2c' }),
  object: z.literal('model_evaluation'),
  status: Status,
  kind: Kind,
  present_model: z.string(),
  present_version: z.string(),
  candidate_model: z.string(),
  candidate_version: z.string().openapi({ description: 'What a passing evaluation speaks for.' }),
  cases: z.int(),
  labelled_cases: z.int().openapi({ description: 'Those that say what is expected.' }),
  thresholds: Thresholds,
  created_by: z.string().openapi({ description: 'The operator.' }),
  reason: z.string(),
  created_at: Timestamp,
  finished_at: NullableTimestamp,
  error: orNull(EvaluationError),
}

export const ModelEvaluation = z.object(figures).openapi('ModelEvaluation', {
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
      .openapi({ description: 'Null where there was nothing to check by: without scores nothing passes.' }),
    present: figure.openapi({ description: 'Of the present model.' }),
    candidate: figure.openapi({ description: 'Of the candidate.' }),
    threshold: figure.openapi({ description: 'What the candidate was held against.' }),
    detail: z.string().openapi({ description: 'In words for people.' }),
  })
  .openapi('ModelEvaluationCheck', { description: 'One check of a report.' })
export type EvaluationCheck = z.infer<typeof Check>

const CaseAnswer = z
  .object({
    class: z.string().nullable().openapi({
      description: 'What it failed of, `not_attempted` where it was not asked; null for an answer.',
    }),
    attempts: z.int(),
    latency_ms: z.int().nullable().openapi({ format: 'int64' }),
    cost_usd: Usd,
    length: z.int().nullable().openapi({ description: 'In characters, of a summary or a report.' }),
    score: figure.openapi({ description: 'From 0 to 1; null where nothing was expected.' }),
  })
  .openapi('ModelEvaluationAnswer', { description: 'What one model made of one case, in figures.' })

const CaseReport = z
  .object({
    index: z.int(),
    present: CaseAnswer,
    candidate: CaseAnswer,
    agreement: figure.openapi({ description: 'From 0 to 1; null where one did not answer.' }),
  })
  .openapi('ModelEvaluationCaseReport', { description: 'What both made of one case.' })

const classCounts = z
  .record(z.string(), z.int())
  .openapi({ description: 'How many cases failed of each class.' })

export const EvaluationReport = z
  .object({
    checks: z.array(Check),
    error_classes: z
      .object({ present: classCounts, candidate: classCounts })
      .openapi('ModelEvaluationErrorClasses', { description: 'What cases failed of, by model.' }),
    cases: z.array(CaseReport),
    cost_usd: Usd.openapi({ description: 'What the evaluation cost.' }),
    duration_ms: z.int().openapi({ format: 'int64', description: 'From the request to the report.' }),
  })
  .openapi('ModelEvaluationReport', {
    description: 'Figures, classes and places of cases; never what they hold or what was answered.',
  })
export type EvaluationReport = z.infer<typeof EvaluationReport>

export const ModelEvaluationDetail = z
  .object({ ...figures, report: orNull(EvaluationReport).openapi({ description: 'Null until the end.' }) })
  .openapi('ModelEvaluationDetail', { description: 'An evaluation with its report.' })
export type ModelEvaluationDetail = z.infer<typeof ModelEvaluationDetail>

export const EvaluationQuery = z.object({
  ...pageQuery,
  status: StatusFilter.optional(),
  candidate_model: modelId.optional().openapi({ description: 'Only evaluations of this model.' }),
})
export type EvaluationQuery = z.infer<typeof EvaluationQuery>
