/** Evaluations of models as specs speak of them. */
import type { ModelEvaluationDetail } from '../../openapi/model-evaluations.ts'
import type { Answer } from './client.ts'
import { expectStatus, operator, TEXT } from './tenant.ts'
import { until } from './wait.ts'

export const EVALUATIONS = '/ops/v1/model_evaluations'

const labels = ['billing', 'shipping']
const texts = ['My invoice is wrong and I was charged twice.', 'The parcel has not been delivered yet.']

/** Two cases that the embedded models get right. */
export const classifyEvaluation = (candidate_model: string, more: object = {}) => ({
  kind: 'classify',
  candidate_model,
  cases: texts.map((text, at) => ({ input: { text, labels }, expected: labels[at] })),
  reason: 'a spec',
  ...more,
})

export const summarizeEvaluation = (candidate_model: string, more: object = {}) => ({
  kind: 'summarize',
  candidate_model,
  cases: [{ input: { text: TEXT }, expected: { phrases: ['free and equal'] } }],
  reason: 'a spec',
  ...more,
})

/** Sends it, whatever the answer. */
export const evaluate = async (body: object, headers: Record<string, string> = {}): Promise<Answer> =>
  (await operator()).post(EVALUATIONS, body, headers)

export const evaluationOf = async (id: string): Promise<ModelEvaluationDetail> =>
  (await expectStatus(200, (await operator()).get(`${EVALUATIONS}/${id}`)))
    .body as unknown as ModelEvaluationDetail

/** The local queue does one after the other, and others may hang. */
const LONGEST_MS = 120_000

export const evaluationEnded = (id: string): Promise<ModelEvaluationDetail> =>
  until(
    `evaluation ${id} has ended`,
    async () => {
      const evaluation = await evaluationOf(id)
      return evaluation.status !== 'running' && evaluation
    },
    LONGEST_MS,
  )

/** One that was begun and has ended. */
export async function evaluated(body: object): Promise<ModelEvaluationDetail> {
  const { body: begun } = await expectStatus(202, evaluate(body))
  return evaluationEnded(begun.id)
}

export const checkOf = ({ report }: ModelEvaluationDetail, name: string) =>
  report?.checks.find((check) => check.name === name)

/** Names of the checks that the candidate does not hold. */
export const failedChecks = ({ report }: ModelEvaluationDetail) =>
  report?.checks.flatMap(({ name, passed }) => (passed === false ? [name] : []))
