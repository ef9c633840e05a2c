/** One job, as operators look into it. */
import { createRoute } from '@hono/zod-openapi'
import { findDeadLetterOfJob } from '../../ledger/directory/dead-letters.ts'
import { openDirectory } from '../../ledger/directory/open.ts'
import { OwnerQuery } from '../../openapi/operator-batches.ts'
import { OperatorJob } from '../../openapi/operator-jobs.ts'
import { findAcross } from '../across-ledgers.ts'
import { forOperators } from '../auth/authenticate.ts'
import { outOfReach } from '../ledgers.ts'
import { problems } from '../problem.ts'
import { newRouter } from '../router.ts'
import { operatorJobView } from '../views/operator-job.ts'
import { JobParams } from './job.ts'
import { json, operatorProblems } from './shared.ts'

const getJobForOperators = createRoute({
  operationId: 'getJob',
  method: 'get',
  path: '/ops/v1/jobs/{job_id}',
  tags: ['Jobs'],
  summary: 'Read a job with its attempts',
  description:
    "How its attempts went, its dead letter, and what the tenant was told. Never content, or the tenant's own text. A job can be read for 90 days.",
  ...forOperators('ops:read'),
  request: { params: JobParams, query: OwnerQuery },
  responses: {
    200: json('The job.', OperatorJob),
    ...problems(...operatorProblems, 'not-found'),
  },
})

export const operatorJobRoutes = newRouter().openapi(getJobForOperators, async (c) => {
  const { job_id: id } = c.req.valid('param')
  const { tenant_id: tenantId } = c.req.valid('query')
  const read = { noun: 'job', id, tenantId } as const
  const found = await findAcross(c.env, { ...read, read: (ledger) => ledger.readJobForOperators(id) })
  const letter = await findDeadLetterOfJob(openDirectory(c.env.DIRECTORY), id).catch(outOfReach)
  return c.json(operatorJobView(found, letter, Date.now()), 200)
})
