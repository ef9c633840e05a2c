/** What can be done to a batch: cancel, run again, discard. */
import { createRoute } from '@hono/zod-openapi'
import { batchFolder } from '../../ledger/content.ts'
import { RerunRequest } from '../../openapi/batch-requests.ts'
import { Batch, BatchCancellation } from '../../openapi/batches.ts'
import { deleteStored } from '../content.ts'
import { requestKey } from '../idempotency.ts'
import { Problem, problems } from '../problem.ts'
import { newRouter } from '../router.ts'
import { batchView, cancellationView } from '../views/batch.ts'
import { BatchParams, batchTags as tags } from './batch.ts'
import { rerun } from './batch-rerun.ts'
import { bareForTenants, json, jsonBody, keyedForTenants, located, tenantPostProblems } from './shared.ts'

const write = keyedForTenants('jobs:write')
const bare = bareForTenants('jobs:write')

const cancelBatch = createRoute({
  operationId: 'cancelBatch',
  method: 'post',
  path: '/v1/batches/{batch_id}/cancel',
  tags,
  summary: 'Cancel a batch that has not ended',
  description:
    'Items that are pending end as cancelled; results that are there are kept. The answer is the receipt.',
  ...bare,
  request: { params: BatchParams },
  responses: {
    200: json('The cancelled batch, and what that came to.', BatchCancellation),
    ...problems(...tenantPostProblems, 'not-found', 'batch-settled'),
  },
})

const rerunBatch = createRoute({
  operationId: 'rerunBatch',
  method: 'post',
  path: '/v1/batches/{batch_id}/rerun',
  tags,
  summary: 'Run items of a batch that has ended again, as a new batch',
  description:
    'The new batch is planned after this answer: where its items are open in another batch, or its estimate is above what the old batch was allowed to cost or does not fit into the budget, it fails, and its report says so.',
  ...write,
  request: { params: BatchParams, body: jsonBody(RerunRequest) },
  responses: {
    202: located(
      'The new batch, which names the old one in `parent_batch_id`. `Location` is its status URL.',
      Batch,
    ),
    ...problems(
      ...tenantPostProblems,
      'not-found',
      'batch-not-settled',
      'content-deleted',
      'backlog-full',
      'budget-exhausted',
      'intake-paused',
    ),
  },
})

const discardBatch = createRoute({
  operationId: 'discardBatch',
  method: 'post',
  path: '/v1/batches/{batch_id}/discard',
  tags,
  summary: 'Delete the results of a batch that has ended',
  description:
    'Results and input are deleted, for good. The batch, its manifest and its report stay readable.',
  ...bare,
  request: { params: BatchParams },
  responses: {
    200: json('The discarded batch.', Batch),
    ...problems(...tenantPostProblems, 'not-found', 'batch-not-settled'),
  },
})

export const batchActionRoutes = newRouter()
  .openapi(cancelBatch, async (c) => {
    const call = { id: crypto.randomUUID(), key: await requestKey(c) }
    const { batch_id } = c.req.valid('param')
    const { value, replayed } = await c.var.ledger((ledger) => ledger.cancelBatch(call, batch_id))
    if (replayed) c.header('Idempotency-Replayed', 'true')
    return c.json(cancellationView(value, c.var.config.baseUrl), 200)
  })
  .openapi(rerunBatch, async (c) => {
    const { value, replayed } = await rerun(c, c.req.valid('param').batch_id, c.req.valid('json'))
    if (replayed) c.header('Idempotency-Replayed', 'true')
    const view = batchView(value, c.var.config.baseUrl)
    return c.json(view, 202, { Location: view.status_url })
  })
  .openapi(discardBatch, async (c) => {
    const { tenantId } = c.var.principal
    if (!tenantId) throw new Problem('internal')
    const call = { id: crypto.randomUUID(), key: await requestKey(c) }
    const { batch_id } = c.req.valid('param')
    const { value, replayed } = await c.var.ledger((ledger) => ledger.discardBatch(call, batch_id))
    await deleteStored(c.env.CONTENT, [batchFolder(tenantId, value.id)])
    if (replayed) c.header('Idempotency-Replayed', 'true')
    return c.json(batchView(value, c.var.config.baseUrl), 200)
  })
