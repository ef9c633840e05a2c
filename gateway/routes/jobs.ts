/** Jobs: submit, read, list, result, cancel. */
import { createRoute } from '@hono/zod-openapi'
import { isTerminal } from '../../ledger/job.ts'
import { jobTag } from '../../ledger/job-snapshots.ts'
import type { JobFilter } from '../../ledger/read.ts'
import { hasSeen } from '../../ledger/seen.ts'
import { moment } from '../../ledger/wire.ts'
import { Job, JobEstimate, JobPage, JobQuery, JobRequest, JobResult } from '../../openapi/jobs.ts'
import { forTenants } from '../auth/authenticate.ts'
import { deleteStored } from '../content.ts'
import { idempotent, keyParameter, requestKey } from '../idempotency.ts'
import { seenBy, weakEtag } from '../if-none-match.ts'
import { standingOrders } from '../orders.ts'
import { pageOf } from '../page.ts'
import { readPatiently } from '../patience.ts'
import { preferParameter } from '../prefer.ts'
import { problems } from '../problem.ts'
import { newRouter } from '../router.ts'
import { estimateView, jobView, resultView } from '../views/job.ts'
import { JobParams } from './job.ts'
import { checkedJob } from './job-request.ts'
import { readOutput } from './job-result.ts'
import { submit } from './job-submission.ts'
import {
  bareForTenants,
  bodyProblems,
  json,
  jsonBody,
  keyProblems,
  located,
  tenantProblems,
} from './shared.ts'

const tags = ['Jobs']

/** Seconds after which a job that is not terminal is worth reading again. */
const POLL_SECONDS = '2'

const write = forTenants('jobs:write')
const read = forTenants('jobs:read')

const createJob = createRoute({
  operationId: 'createJob',
  method: 'post',
  path: '/v1/jobs',
  tags,
  summary: 'Submit a job',
  description:
    'Answers as soon as the job is durably recorded. Webhooks and `status_url` tell what becomes of it.',
  ...write,
  middleware: [...write.middleware, idempotent(true)] as const,
  ...keyParameter(true),
  request: {
    body: jsonBody(JobRequest),
  },
  responses: {
    202: located('The job has been accepted. `Location` is its status URL.', Job),
    ...problems(
      ...tenantProblems,
      ...bodyProblems,
      'idempotency-key-required',
      ...keyProblems,
      'backlog-full',
      'budget-exhausted',
      'cost-over-limit',
      'intake-paused',
    ),
  },
})

const estimateJob = createRoute({
  operationId: 'estimateJob',
  method: 'post',
  path: '/v1/jobs/estimate',
  tags,
  summary: 'Estimate a job without submitting it',
  description: 'Takes the body of a submission; nothing is stored, and no Idempotency-Key is used.',
  ...write,
  request: { body: jsonBody(JobRequest) },
  responses: {
    200: json('What it would cost, and whether it would be accepted now.', JobEstimate),
    ...problems(...tenantProblems, ...bodyProblems),
  },
})

const listJobs = createRoute({
  operationId: 'listJobs',
  method: 'get',
  path: '/v1/jobs',
  tags,
  summary: 'List jobs, newest first',
  description:
    'A page examines at most 5,000 jobs, so a rare filter can give a short page with a `next_cursor`.',
  ...read,
  request: { query: JobQuery },
  responses: { 200: json('A page of jobs.', JobPage), ...problems(...tenantProblems) },
})

const getJob = createRoute({
  operationId: 'getJob',
  method: 'get',
  path: '/v1/jobs/{job_id}',
  tags,
  summary: 'Read a job',
  description:
    'Its status, what it waits for, and what became of it. A job that failed is answered with 200, too: `error` says of what. A job stays readable when its content has been deleted. With `Prefer: wait=20` the answer waits until the job has ended or, with `If-None-Match` as well, until anything about it has changed.',
  ...read,
  parameters: [preferParameter],
  request: { params: JobParams },
  responses: {
    200: json('The job. `Retry-After` while it is not terminal.', Job),
    304: { description: 'The job has not changed since the `ETag` in `If-None-Match`.' },
    ...problems(...tenantProblems, 'not-found'),
  },
})

const getJobResult = createRoute({
  operationId: 'getJobResult',
  method: 'get',
  path: '/v1/jobs/{job_id}/result',
  tags,
  summary: "Read a job's result",
  description:
    'The output of a job that succeeded. Before that, and after a failure, the answer is 409 (`result-not-available`); once the content has been deleted it is 410 (`content-deleted`).',
  ...read,
  request: { params: JobParams },
  responses: {
    200: json('The result.', JobResult),
    ...problems(...tenantProblems, 'not-found', 'result-not-available', 'content-deleted'),
  },
})

const cancelJob = createRoute({
  operationId: 'cancelJob',
  method: 'post',
  path: '/v1/jobs/{job_id}/cancel',
  tags,
  summary: 'Cancel a job that has not ended',
  description:
    'The job ends as cancelled at once, whatever it is doing. What the provider has begun may still cost. A job that has ended is left as it is (409, `job-settled`).',
  ...bareForTenants('jobs:write'),
  request: { params: JobParams },
  responses: {
    200: json('The cancelled job.', Job),
    ...problems(...tenantProblems, ...keyProblems, ...bodyProblems, 'not-found', 'job-settled'),
  },
})

const deleteJob = createRoute({
  operationId: 'deleteJob',
  method: 'delete',
  path: '/v1/jobs/{job_id}',
  tags,
  summary: "Delete a job's content",
  description:
    'Input and result are deleted now, for good. A job that has not ended is cancelled first. The job itself stays readable, with `content_deleted_at`. Deleting again changes nothing. Of a single job of a batch, what its batch has taken over by then goes with the results of that.',
  ...write,
  request: { params: JobParams },
  responses: { 204: { description: 'Deleted.' }, ...problems(...tenantProblems, 'not-found') },
})

export const jobRoutes = newRouter()
  .openapi(createJob, async (c) => {
    const { job, replayed } = await submit(c, c.req.valid('json'))
    if (replayed) c.header('Idempotency-Replayed', 'true')
    const view = jobView(job, c.var.config.baseUrl)
    return c.json(view, 202, { Location: view.status_url })
  })
  .openapi(estimateJob, async (c) => {
    const orders = await standingOrders(c)
    const asked = checkedJob(c.req.valid('json'), c.var.config.providers, orders.models)
    const estimate = await c.var.ledger((ledger) => ledger.estimateJob(asked, orders))
    return c.json(estimateView(asked.model, estimate), 200)
  })
  .openapi(listJobs, async (c) => {
    const { cursor, limit, ...query } = c.req.valid('query')
    const scope = [c.var.principal.tenantId, 'jobs', query] as const
    const page = await pageOf(scope, { cursor, limit }, async (after, size) => {
      const { jobs, nextAfter } = await c.var.ledger((own) => own.listJobs(filterOf(query), after, size))
      return { data: jobs.map((job) => jobView(job, c.var.config.baseUrl)), nextAfter }
    })
    return c.json(page, 200)
  })
  .openapi(getJob, async (c) => {
    const seen = seenBy(c.req.header('If-None-Match'))
    const { job_id } = c.req.valid('param')
    const job = await readPatiently(c, (ledger, patience) => ledger.readJob(job_id, seen, patience))
    const tag = jobTag(job)
    c.header('ETag', weakEtag(tag))
    if (!isTerminal(job.status)) c.header('Retry-After', POLL_SECONDS)
    if (hasSeen(seen, tag)) return c.body(null, 304)
    return c.json(jobView(job, c.var.config.baseUrl), 200)
  })
  .openapi(getJobResult, async (c) => {
    const { job, text } = await readOutput(c, c.req.valid('param').job_id)
    return c.json(resultView(job, text), 200)
  })
  .openapi(cancelJob, async (c) => {
    const key = await requestKey(c)
    const { job_id } = c.req.valid('param')
    const { job, replayed } = await c.var.ledger((ledger) => ledger.cancelJob(job_id, key))
    if (replayed) c.header('Idempotency-Replayed', 'true')
    return c.json(jobView(job, c.var.config.baseUrl), 200)
  })
  .openapi(deleteJob, async (c) => {
    const { job_id } = c.req.valid('param')
    const { refs } = await c.var.ledger((ledger) => ledger.deleteJob(job_id))
    await deleteStored(c.env.CONTENT, refs)
    return c.body(null, 204)
  })

function filterOf(query: Omit<JobQuery, 'cursor' | 'limit'>): JobFilter {
  const [, key, value] = /^([^:]+):(.*)$/s.exec(query.metadata ?? '') ?? []
  return {
    status: query.status ?? null,
    kind: query.kind ?? null,
    batchId: query.batch_id ?? null,
    createdAfter: moment(query.created_after),
    createdBefore: moment(query.created_before),
    metadata: key === undefined || value === undefined ? null : { key, value },
  }
}
