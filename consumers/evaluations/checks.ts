/** What a candidate is checked for: one row for each check. Pure. */
import type { CheckName, EvaluationCheck } from '../../openapi/model-evaluations.ts'
import { agreed, cost, dimensions, latency, length, quality } from './compared-checks.ts'
import { answers, emptyAnswers, errors, format, unfounded } from './counted-checks.ts'
import type { Facts, Row } from './facts.ts'

const rows: Record<CheckName, Row> = {
  answers,
  errors,
  format,
  empty_answers: emptyAnswers,
  dimensions,
  length,
  unfounded,
  latency_median: latency(0.5, 'Median'),
  latency_p95: latency(0.95, '95th percentile'),
  cost,
  quality,
  agreement: agreed,
}

/** Those that have a meaning for the kind. */
export const checksOf = (facts: Facts): EvaluationCheck[] =>
  (Object.keys(rows) as CheckName[]).flatMap((name) => {
    const check = rows[name](facts)
    return check ? [{ name, ...check }] : []
  })
