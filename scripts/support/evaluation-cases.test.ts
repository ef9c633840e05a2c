import { describe, expect, it } from 'vitest'
import { findModel } from '../../catalog/models.ts'
import { measure } from '../../consumers/evaluations/measure.ts'
import { attemptOf } from '../../consumers/providers/embedded.ts'
import { EvaluationRequest, MAX_CASES } from '../../openapi/evaluation-requests.ts'
import { type EmbedCase, embedCases, languages } from './evaluation-cases.ts'

function scoreOf(model: string, one: EmbedCase): number {
  const attempt = attemptOf({ kind: 'embed', model, input: one.input, params: {} })
  const output = attempt.kind === 'completed' ? attempt.output : null
  return measure('embed', one, output).score ?? 0
}

describe('the labelled cases of the Declaration', () => {
  const cases = embedCases()

  it('are a request for an evaluation', () => {
    const request = { kind: 'embed', candidate_model: 'embedded/hash-2', cases, reason: 'a test' }

    expect(EvaluationRequest.safeParse(request).error).toBeUndefined()
    expect(cases.length).toBeLessThanOrEqual(MAX_CASES)
  })

  it('tell the candidate from the present model in every language', () => {
    const better = cases.map((one) => scoreOf('embedded/hash-2', one) - scoreOf('embedded/hash-1', one))

    expect(languages.filter((_, at) => (better[at] ?? -1) < 0)).toEqual([])
    expect(better.reduce((sum, one) => sum + one, 0) / cases.length).toBeGreaterThan(0.05)
    expect(findModel('embedded/hash-2')?.enabled).toBe(false)
  })
})
