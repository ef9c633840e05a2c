/** What a candidate model must hold to pass, in comparison with the present one. */
import { z } from '@hono/zod-openapi'

/** What holds where a request does not name it. */
export const standardThresholds = {
  max_failed_share: 0,
  max_quality_loss: 0.02,
  min_quality: 0,
  min_agreement: 0,
  max_latency_ratio: 3,
  allowed_latency_ms: 500,
  max_cost_ratio: 1.5,
  allowed_cost_usd_per_case: 0,
  min_length_ratio: 0.5,
  max_length_ratio: 1.5,
}
export type ThresholdName = keyof typeof standardThresholds
export type EvaluationThresholds = Readonly<Record<ThresholdName, number>>

interface Bound {
  readonly min: number
  readonly max: number
  readonly description: string
}

const bounds: Readonly<Record<ThresholdName, Bound>> = {
  max_failed_share: {
    min: 0,
    max: 0.5,
    description: 'Share of the cases that may be without a usable answer, at either model.',
  },
  max_quality_loss: { min: 0, max: 1, description: "By how much the candidate's score may be lower." },
  min_quality: { min: 0, max: 1, description: "What the candidate's score must be in any case." },
  min_agreement: { min: 0, max: 1, description: 'How far the answers of both must agree.' },
  max_latency_ratio: {
    min: 0.1,
    max: 100,
    description: 'How many times as long the candidate may take: the median, and the 95th percentile.',
  },
  allowed_latency_ms: { min: 0, max: 600_000, description: 'A time that passes, whatever the present one.' },
  max_cost_ratio: { min: 0, max: 1000, description: 'How many times as much the candidate may cost.' },
  allowed_cost_usd_per_case: {
    min: 0,
    max: 100,
    description: 'A mean cost that passes, whatever the present one.',
  },
  min_length_ratio: { min: 0, max: 10, description: 'Of summaries and reports: their mean length.' },
  max_length_ratio: { min: 0.1, max: 100, description: 'Of summaries and reports: their mean length.' },
}

const names = Object.keys(standardThresholds) as ThresholdName[]

const fieldsOf = <T>(field: (name: ThresholdName) => T) =>
  Object.fromEntries(names.map((name) => [name, field(name)])) as Record<ThresholdName, T>

const asked = (name: ThresholdName) => {
  const { min, max, description } = bounds[name]
  const standard = standardThresholds[name]
  return z.number().min(min).max(max).optional().meta({ format: 'double', default: standard, description })
}

const { min_length_ratio, max_length_ratio, ...ofAll } = fieldsOf(asked)
const words = 'What the candidate must hold; what is not named has its default.'

/** Answers that are no texts have no length. */
export const ThresholdsInput = z
  .strictObject(ofAll)
  .meta({ id: 'EvaluationThresholdsInput', description: words })

export const TextThresholdsInput = z
  .strictObject({ ...ofAll, min_length_ratio, max_length_ratio })
  .refine(hasLengths, { path: ['min_length_ratio'], error: 'The least length is above the most.' })
  .meta({ id: 'EvaluationTextThresholdsInput', description: `${words} For summaries and reports.` })
export type ThresholdsInput = z.infer<typeof TextThresholdsInput>

interface Lengths {
  readonly min_length_ratio?: number | undefined
  readonly max_length_ratio?: number | undefined
}

function hasLengths({ min_length_ratio: least, max_length_ratio: most }: Lengths): boolean {
  return (least ?? standardThresholds.min_length_ratio) <= (most ?? standardThresholds.max_length_ratio)
}

export const Thresholds = z
  .object(fieldsOf(() => z.number().meta({ format: 'double' })))
  .meta({ id: 'EvaluationThresholds', description: 'What the candidate must hold, with all defaults.' })

/** All of them, for a request that names some. */
export const thresholdsFor = (input: ThresholdsInput = {}): EvaluationThresholds =>
  fieldsOf((name) => input[name] ?? standardThresholds[name])
