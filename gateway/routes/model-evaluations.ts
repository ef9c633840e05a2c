/** Evaluations of models: start one, follow it, read its report. */
import { createRoute, z } from '@hono/zod-openapi'
import { findEvaluation, listEvaluations } from '../../ledger/directory/evaluations.ts'
import { openDirectory } from '../../ledger/directory/open.ts'
import { EvaluationRequest } from '../../openapi/evaluation-requests.ts'
import {
  EvaluationQuery,
  ModelEvaluationDetail,
  ModelEvaluationPage,
} from '../../openapi/model-evaluations.ts'
import { forOperators } from '../auth/authenticate.ts'
import { directoryPage } from '../directory-page.ts'
import { once } from '../once.ts'
import { Problem, problems } from '../problem.ts'
import { newRouter } from '../router.ts'
import { evaluationDetailView, evaluationView } from '../views/model-evaluation.ts'
import { beginEvaluation, modelsOf } from './evaluation-request.ts'
import {
  json,
  jsonBody,
  keyedForOperators,
  located,
  operatorPostProblems,
  operatorProblems,
} from './shared.ts'

const tags = ['Model evaluations']
const read = forOperators('ops:read')

const EvaluationParams = z.object({
  evaluation_id: z
    .string()
    .meta({ description: 'The ID of an evaluation.', example: 'eval_01kb9r2m5n000e4h7k0q3t6w9z2c' }),
})

const createModelEvaluation = createRoute({
  operationId: 'createModelEvaluation',
  method: 'post',
  path: '/ops/v1/model_evaluations',
  tags,
  summary: 'Evaluate a model against the present one',
  description:
    'Both answer the same inputs; the answers are checked, scored where a case says what is expected, and compared. It ends within 30 minutes. Inputs and answers are deleted with its end.',
  ...keyedForOperators('ops:write'),
  request: { body: jsonBody(EvaluationRequest) },
  responses: {
    202: located('The evaluation runs. `Location` is its URL.', ModelEvaluationDetail),
    ...problems(...operatorPostProblems),
  },
})

const listModelEvaluations = createRoute({
  operationId: 'listModelEvaluations',
  method: 'get',
  path: '/ops/v1/model_evaluations',
  tags,
  summary: 'List evaluations of models, newest first',
  description: 'Without their reports.',
  ...read,
  request: { query: EvaluationQuery },
  responses: { 200: json('A page of evaluations.', ModelEvaluationPage), ...problems(...operatorProblems) },
})

const getModelEvaluation = createRoute({
  operationId: 'getModelEvaluation',
  method: 'get',
  path: '/ops/v1/model_evaluations/{evaluation_id}',
  tags,
  summary: 'Read an evaluation with its report',
  description: 'Figures, classes and places of cases; never what they hold or what was answered.',
  ...read,
  request: { params: EvaluationParams },
  responses: {
    200: json('The evaluation.', ModelEvaluationDetail),
    ...problems(...operatorProblems, 'not-found'),
  },
})

export const modelEvaluationRoutes = newRouter()
  .openapi(createModelEvaluation, async (c) => {
    const body = c.req.valid('json')
    const evaluation = await once<ModelEvaluationDetail>(c, body.reason, async (actFor) =>
      beginEvaluation(c, body, await modelsOf(c, body), actFor),
    )
    const Location = `${c.var.config.baseUrl}/ops/v1/model_evaluations/${evaluation.id}`
    return c.json(evaluation, 202, { Location })
  })
  .openapi(listModelEvaluations, async (c) => {
    const { cursor, limit, ...query } = c.req.valid('query')
    const list = (after: string | null, size: number) =>
      listEvaluations(openDirectory(c.env.DIRECTORY), query, after, size)
    const scope = ['ops', 'model_evaluations', query] as const
    return c.json(await directoryPage(scope, { cursor, limit }, list, evaluationView), 200)
  })
  .openapi(getModelEvaluation, async (c) => {
    const { evaluation_id } = c.req.valid('param')
    const row = await findEvaluation(openDirectory(c.env.DIRECTORY), evaluation_id)
    if (!row) throw new Problem('not-found', { detail: 'There is no such evaluation.' })
    return c.json(evaluationDetailView(row), 200)
  })
