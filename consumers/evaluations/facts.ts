/** What checks are made of, and what each finds. */
import type { KindName } from '../../catalog/kind.ts'
import type { EvaluationThresholds } from '../../openapi/evaluation-thresholds.ts'
import type { EvaluationCheck } from '../../openapi/model-evaluations.ts'
import type { Answer } from './answer.ts'

/** Null where a model was not asked. */
export interface Pair {
  readonly labelled: boolean
  readonly present: Answer | null
  readonly candidate: Answer | null
}

export interface Facts {
  readonly kind: KindName
  readonly thresholds: EvaluationThresholds
  /** What vectors of the candidate must have; null where the kind has none. */
  readonly dimensions: number | null
  readonly pairs: readonly Pair[]
}

export type Found = Omit<EvaluationCheck, 'name'>
export type Row = (facts: Facts) => Found | null
/** Binary fractions may fall just short. */
export const TOLERANCE = 1e-9
