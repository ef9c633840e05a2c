/** Batches: submit, estimate, list, read. */
import { createRoute } from '@hono/zod-openapi'
import { isBatchOver } from '../../ledger/batches/batch.ts'
import { batchTag } from '../../ledger/batches/snapshots.ts'
import { hasSeen } from '../../ledger/seen.ts'
import { moment } from '../../ledger/wire.ts'
import { BatchEstimate } from '../../openapi/batch-contents.ts'
import { BatchRequest } from '../../openapi/batch-requests.ts'
import { Batch, BatchPage, BatchQuery } from '../../openapi/batches.ts'
import { forTenants } from '../auth/authenticate.ts'
import { MAX_BATCH_BYTES } from '../body.ts'
import { idempotent, keyParameter } from '../idempotency.ts'
import { seenBy, weakEtag } from '../if-none-match.ts'
import { pageOf } from '../page.ts'
import { readPatiently } from '../patience.ts'
import { preferParameter } from '../prefer.ts'
import { problems } from '../problem.ts'
import { newRouter } from '../router.ts'
import { batchView } from '../views/batch.ts'
import { BATCH_POLL_SECONDS, BatchParams, batchTags as tags } from './batch.ts'
import { estimate } from './batch-estimate.ts'
import { submitBatch } from './batch-submission.ts'
import { bodyProblems, json, jsonBody, keyProblems, located, tenantProblems } from './shared.ts'

const write = forTenants('jobs:write', MAX_BATCH_BYTES)
const read = forTenants('jobs:read')

const createBatch = createRoute({
  operationId: 'createBatch',
  method: 'post',
  path: '/v1/batches',
  tags,
  summary: 'Submit a batch',
  description: [
    'Many items of one kind, on one model, at the pace of the provider’s own batches: for work that may take hours. Items come in the',
    'body (up to 1,000, and 4 MiB), or as an uploaded NDJSON file (up to 50,000). What came in the body is checked before the answer,',
    'and every bad item is named in it; a file is checked afterwards, before anything is sent.',
  ].join('\n'),
  ...write,
  middleware: [...write.middleware, idempotent(true)] as const,
  ...keyParameter(true),
  request: { body: jsonBody(BatchRequest) },
  responses: {
    202: located('The batch has been accepted. `Location` is its status URL.', Batch),
    ...problems(
      ...tenantProblems,
      ...bodyProblems,
      'idempotency-key-required',
      ...keyProblems,
      'duplicate-items',
      'backlog-full',
      'budget-exhausted',
      'cost-over-limit',
      'intake-paused',
    ),
  },
})

const estimateBatch = createRoute({
  operationId: 'estimateBatch',
  method: 'post',
  path: '/v1/batches/estimate',
  tags,
  summary: 'Estimate a batch without submitting it',
  description:
    'Takes the body of a submission; nothing is stored, and no Idempotency-Key is used. The items are checked and put into chunks as they would be, those of a file too, and what is no item is named in `errors`.',
  ...write,
  request: { body: jsonBody(BatchRequest) },
  responses: {
    200: json('What it would cost, and whether it would be accepted now.', BatchEstimate),
    ...problems(...tenantProblems, ...bodyProblems),
  },
})

const listBatches = createRoute({
  operationId: 'listBatches',
  method: 'get',
  path: '/v1/batches',
  tags,
  summary: 'List batches, newest first',
  description: 'All of the tenant, or those that the filters leave.',
  ...read,
  request: { query: BatchQuery },
  responses: {
    200: json('A page of batches.', BatchPage),
    ...problems(...tenantProblems),
  },
})

const getBatch = createRoute({
  operationId: 'getBatch',
  method: 'get',
  path: '/v1/batches/{batch_id}',
  tags,
  summary: 'Read a batch',
  description:
    'Its status, and how many of its items are where. A batch stays readable when its results have been discarded. With `Prefer: wait=20` the answer waits until the batch has ended or, with `If-None-Match` as well, until anything about it has changed.',
  ...read,
  parameters: [preferParameter],
  request: { params: BatchParams },
  responses: {
    200: json('The batch. `Retry-After` while it has not ended.', Batch),
    304: { description: 'The batch has not changed since the `ETag` in `If-None-Match`.' },
    ...problems(...tenantProblems, 'not-found'),
  },
})

export const batchRoutes = newRouter()
  .openapi(createBatch, async (c) => {
    const { batch, replayed } = await submitBatch(c, c.req.valid('json'))
    if (replayed) c.header('Idempotency-Replayed', 'true')
    const view = batchView(batch, c.var.config.baseUrl)
    return c.json(view, 202, { Location: view.status_url })
  })
  .openapi(estimateBatch, async (c) => c.json(await estimate(c, c.req.valid('json')), 200))
  .openapi(listBatches, async (c) => {
    const { cursor, limit, ...query } = c.req.valid('query')
    const scope = [c.var.principal.tenantId, 'batches', query] as const
    const page = await pageOf(scope, { cursor, limit }, async (after, size) => {
      const { batches, nextAfter } = await c.var.ledger((own) =>
        own.listBatches(filterOf(query), after, size),
      )
      return { data: batches.map((batch) => batchView(batch, c.var.config.baseUrl)), nextAfter }
    })
    return c.json(page, 200)
  })
  .openapi(getBatch, async (c) => {
    const seen = seenBy(c.req.header('If-None-Match'))
    const { batch_id } = c.req.valid('param')
    const batch = await readPatiently(c, (ledger, patience) => ledger.readBatch(batch_id, seen, patience))
    const tag = batchTag(batch)
    c.header('ETag', weakEtag(tag))
    if (!isBatchOver(batch.status)) c.header('Retry-After', BATCH_POLL_SECONDS)
    if (hasSeen(seen, tag)) return c.body(null, 304)
    return c.json(batchView(batch, c.var.config.baseUrl), 200)
  })

const filterOf = (query: Omit<BatchQuery, 'cursor' | 'limit'>) => ({
  status: query.status ?? null,
  kind: query.kind ?? null,
  createdAfter: moment(query.created_after),
  createdBefore: moment(query.created_before),
})
