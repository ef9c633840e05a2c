/** What operators ask of an evaluation of a model: inputs by kind, and what is expected of good answers to them. */
import { z } from '@hono/zod-openapi'
import { type KindName, text } from '../catalog/kind.ts'
import { ClassifyText, classify } from '../catalog/kinds/classify.ts'
import { EmbedTexts, embed } from '../catalog/kinds/embed.ts'
import { ReportText, report } from '../catalog/kinds/report.ts'
import { SummarizeText, summarize } from '../catalog/kinds/summarize.ts'
import { TextThresholdsInput, ThresholdsInput } from './evaluation-thresholds.ts'
import { capitalised } from './jobs.ts'
import { someOf, where } from './members.ts'
import { Reason } from './ops.ts'

export const MAX_CASES = 50

export const modelId = z.string().min(1).max(128)

const common = {
  present_model: modelId.optional().meta({ description: 'Default: the model of the kind.' }),
  candidate_model: modelId.meta({
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
      .meta({ description: 'What the answer should say; capitals do not count.' }),
    reference: text(20_000)
      .optional()
      .meta({ description: 'A good answer: how far its words are those of the answer is the score.' }),
  })
  .refine(({ phrases, reference }) => phrases !== undefined || reference !== undefined, {
    error: 'At least one of phrases, reference.',
  })
  .meta({
    id: 'ExpectedText',
    description:
      'What a good summary or report holds: at least one of both; of two scores the mean is taken.',
    ...where({ hold: [someOf('phrases', 'reference')] }),
  })
const ExpectedGroups = z.strictObject({ groups: z.array(z.int().min(0).max(255)).min(2).max(256) }).meta({
  id: 'ExpectedGroups',
  description:
    'A number for each text; those with the same belong together. The score is the share of texts whose nearest neighbour is of their own group.',
})
const ReportTexts = z
  .strictObject({ sources: z.array(ReportText).min(1).max(50) })
  .meta({ id: 'ReportTexts', description: 'The sources of a report, all in the body.' })

const caseOf = <I extends z.ZodType, E extends z.ZodType>(input: I, expected: E) =>
  z.strictObject({ input, expected: expected.optional() })

const described = { description: 'An input, and what is expected of a good answer to it.' }

const SummarizeCase = caseOf(SummarizeText, ExpectedText).meta({
  id: 'SummarizeEvaluationCase',
  ...described,
})
const ReportCase = caseOf(ReportTexts, ExpectedText).meta({ id: 'ReportEvaluationCase', ...described })
const ClassifyCase = caseOf(ClassifyText, text(200))
  .refine(({ input, expected }) => expected === undefined || input.labels.includes(expected), {
    path: ['expected'],
    error: 'Not one of the labels of the input.',
  })
  .meta({ id: 'ClassifyEvaluationCase', description: 'An input, and the label that it should get.' })
const EmbedCase = caseOf(EmbedTexts, ExpectedGroups)
  .refine(({ input, expected }) => !expected || expected.groups.length === input.texts.length, {
    path: ['expected', 'groups'],
    error: 'Not one group for each text.',
  })
  .refine(({ expected }) => !expected || isApartAndTogether(expected.groups), {
    path: ['expected', 'groups'],
    error: 'Needs two groups, and one of two texts, at least.',
  })
  .meta({ id: 'EmbedEvaluationCase', description: 'Texts, and which of them belong together.' })

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
      cases: z.array(item).min(1).max(MAX_CASES).meta({
        description: 'Inline, and never of a customer. Without any `expected` no evaluation passes.',
      }),
    })
    .meta({
      id: `${capitalised(kind)}EvaluationRequest`,
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
  .meta({
    id: 'ModelEvaluationRequest',
    description: 'Inputs to run through both models; `kind` says what they and what is expected look like.',
  })
export type EvaluationRequest = z.infer<typeof EvaluationRequest>
