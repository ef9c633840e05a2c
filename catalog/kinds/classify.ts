import { z } from '@hono/zod-openapi'
import { bytesOfText, defineKind, fileId, text, tokensOf } from '../kind.ts'

const TEXT_MAX = 500_000

const labels = () =>
  z
    .array(text(200))
    .min(2)
    .max(100)
    .refine((all) => new Set(all).size === all.length, { error: 'Labels must be distinct.' })
    .meta({ description: 'Distinct labels.', uniqueItems: true })

export const ClassifyText = z
  .strictObject({ text: text(TEXT_MAX), labels: labels() })
  .meta({ id: 'ClassifyText', description: 'A text and the labels that it may get.' })
const ClassifyFile = z
  .strictObject({ file_id: fileId(), labels: labels() })
  .meta({ id: 'ClassifyFile', description: 'An uploaded text file and the labels that it may get.' })
const LabelScore = z
  .object({ label: z.string(), score: z.number().meta({ description: 'From 0 to 1.' }) })
  .meta({ id: 'LabelScore', description: 'How well a label fits.' })

const SUM_TOLERANCE = 1e-6

export const classify = defineKind({
  name: 'classify',
  defaultModel: 'embedded/hash-1',
  input: z
    .union([ClassifyText, ClassifyFile])
    .meta({ id: 'ClassifyInput', description: 'What to classify, and by which labels.' }),
  params: z.strictObject({}).meta({ id: 'ClassifyParams', description: 'None at present.' }),
  output: z.object({ labels: z.array(LabelScore) }).meta({
    id: 'ClassifyOutput',
    description: 'Every label with its score, best first; the scores sum to 1.',
  }),
  tokens: (input) => ('text' in input ? tokensOf(input.text) : 0),
  fileRefs: (input) => ('file_id' in input ? [{ pointer: '/input/file_id', fileId: input.file_id }] : []),
  reads: 'text',
  maxFileBytes: bytesOfText(TEXT_MAX),
  withTexts: (input, textOf) =>
    'file_id' in input ? { text: textOf(input.file_id).text, labels: input.labels } : input,
  fault: ({ labels: scored }, input) => {
    const answered = new Set(scored.map(({ label }) => label))
    if (scored.length !== input.labels.length || !input.labels.every((label) => answered.has(label)))
      return 'Not one score for each label.'
    if (scored.some(({ score }) => !(score >= 0 && score <= 1))) return 'A score is not between 0 and 1.'
    if (scored.some(({ score }, at) => at > 0 && score > (scored[at - 1]?.score ?? 1)))
      return 'Not best first.'
    const sum = scored.reduce((total, { score }) => total + score, 0)
    return Math.abs(sum - 1) > SUM_TOLERANCE ? 'The scores do not sum to 1.' : null
  },
})
