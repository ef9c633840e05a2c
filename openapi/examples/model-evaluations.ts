import type { EvaluationRequest } from '../evaluation-requests.ts'
import { standardThresholds } from '../evaluation-thresholds.ts'
import type {
  EvaluationReport,
  ModelEvaluation,
  ModelEvaluationDetail,
  ModelEvaluationPage,
} from '../model-evaluations.ts'
import { type Examples, ids, lastPage, TEXT, times } from './example.ts'

const running: ModelEvaluation = {
  id: ids.evaluation,
  object: 'model_evaluation',
  status: 'running',
  kind: 'embed',
  present_model: 'embedded/hash-1',
  present_version: '1',
  candidate_model: 'embedded/hash-2',
  candidate_version: '1',
  cases: 1,
  labelled_cases: 1,
  thresholds: standardThresholds,
  created_by: ids.operator,
  reason: 'A model that tells texts apart in more languages.',
  created_at: times.created,
  finished_at: null,
  error: null,
}
const passed: ModelEvaluation = { ...running, status: 'passed', finished_at: times.finished }

const answered = { class: null, attempts: 1, latency_ms: 3, cost_usd: 0, length: null }
const report: EvaluationReport = {
  checks: [
    {
      name: 'answers',
      passed: true,
      present: 1,
      candidate: 1,
      threshold: 1,
      detail: 'Usable answers to 1 cases.',
    },
    {
      name: 'quality',
      passed: true,
      present: 0.5,
      candidate: 0.75,
      threshold: 0.48,
      detail: 'Mean score of 1 labelled cases; at most 0.02 below the present one, and at least 0.',
    },
  ],
  error_classes: { present: {}, candidate: {} },
  cases: [
    {
      index: 0,
      present: { ...answered, score: 0.5 },
      candidate: { ...answered, score: 0.75 },
      agreement: 0.5,
    },
  ],
  cost_usd: 0,
  duration_ms: 2087,
}

const texts = [
  'Everyone has the right to education.',
  'Education shall be free, at least in the elementary stages.',
  'Everyone has the right to leave any country.',
  'Everyone may return to his country.',
]

export const modelEvaluationExamples: {
  ModelEvaluationRequest: Examples<typeof EvaluationRequest>
  ModelEvaluationDetail: Examples<typeof ModelEvaluationDetail>
  ModelEvaluationPage: Examples<typeof ModelEvaluationPage>
} = {
  ModelEvaluationRequest: {
    embed: {
      summary: 'Texts that belong together by twos',
      value: {
        kind: 'embed',
        candidate_model: 'embedded/hash-2',
        cases: [{ input: { texts }, expected: { groups: [0, 0, 1, 1] } }],
        reason: running.reason,
      },
    },
    classify: {
      summary: 'A text and its label',
      value: {
        kind: 'classify',
        candidate_model: 'openai/gpt-4.1-mini',
        cases: [
          { input: { text: 'My invoice is wrong.', labels: ['billing', 'shipping'] }, expected: 'billing' },
        ],
        thresholds: { max_cost_ratio: 3, min_quality: 0.9 },
        reason: 'A model that understands more.',
      },
    },
    summarize: {
      summary: 'What a summary should say',
      value: {
        kind: 'summarize',
        present_model: 'openai/gpt-4o-mini',
        candidate_model: 'openai/gpt-4.1-mini',
        params: { max_words: 20 },
        cases: [{ input: { text: TEXT }, expected: { phrases: ['free and equal'] } }],
        reason: 'The present model is about to be retired.',
      },
    },
  },
  ModelEvaluationDetail: {
    running: { summary: 'One that has begun', value: { ...running, report: null } },
    passed: { summary: 'One that the candidate passed', value: { ...passed, report } },
    failed: {
      summary: 'One that could not be done',
      value: {
        ...passed,
        status: 'failed',
        error: { class: 'model_changed', message: 'One of the models has another version by now.' },
        report: null,
      },
    },
  },
  ModelEvaluationPage: { page: { summary: 'The only page', value: { data: [passed], ...lastPage } } },
}
