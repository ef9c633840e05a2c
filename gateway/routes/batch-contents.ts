/** What a batch consists of, and what became of it: items, manifest, report, results. */
import { createRoute } from '@hono/zod-openapi'
import {
  BatchItemPage,
  BatchItemQuery,
  BatchManifest,
  BatchReport,
  BatchResultLine,
} from '../../openapi/batch-contents.ts'
import { PageQuery } from '../../openapi/webhooks.ts'
import { forTenants } from '../auth/authenticate.ts'
import { numberOf } from '../cursor.ts'
import { pageOf } from '../page.ts'
import { problems } from '../problem.ts'
import { streamResults } from '../results/of-batch.ts'
import { newRouter } from '../router.ts'
import { itemView, modelOf } from '../views/batch-item.ts'
import { manifestView } from '../views/batch-manifest.ts'
import { reportView } from '../views/batch-report.ts'
import { BatchParams, batchTags as tags } from './batch.ts'
import { asJsonLines, json, jsonLines, tenantProblems } from './shared.ts'

const read = forTenants('jobs:read')

const listBatchItems = createRoute({
  operationId: 'listBatchItems',
  method: 'get',
  path: '/v1/batches/{batch_id}/items',
  tags,
  summary: 'List the items of a batch, in input order',
  description: 'What became of each; its output is in the results. Empty until a file has been planned.',
  ...read,
  request: { params: BatchParams, query: BatchItemQuery },
  responses: {
    200: json('A page of items.', BatchItemPage),
    ...problems(...tenantProblems, 'not-found'),
  },
})

const getBatchManifest = createRoute({
  operationId: 'getBatchManifest',
  method: 'get',
  path: '/v1/batches/{batch_id}/manifest',
  tags,
  summary: 'Read the manifest of a batch',
  description:
    'What is to be done, by whose order, and how it is cut into chunks: stored before anything is sent. `limit` and `cursor` page through `items`; the rest is the same on each page.',
  ...read,
  request: { params: BatchParams, query: PageQuery },
  responses: {
    200: json('The manifest.', BatchManifest),
    ...problems(...tenantProblems, 'not-found', 'manifest-not-ready'),
  },
})

const getBatchReport = createRoute({
  operationId: 'getBatchReport',
  method: 'get',
  path: '/v1/batches/{batch_id}/report',
  tags,
  summary: 'Read the verification report of a batch',
  description: 'The checks are made when the batch ends; the rest is what is known so far.',
  ...read,
  request: { params: BatchParams },
  responses: { 200: json('The report.', BatchReport), ...problems(...tenantProblems, 'not-found') },
})

const getBatchResults = createRoute({
  operationId: 'getBatchResults',
  method: 'get',
  path: '/v1/batches/{batch_id}/results',
  tags,
  summary: 'Read the results of a batch',
  description:
    'A line of JSON for each item that has ended, successes and failures together, in input order; readable while the batch runs. An answer that breaks off before its end has to be read again.',
  ...read,
  request: { params: BatchParams },
  responses: {
    200: jsonLines('One such object a line.', BatchResultLine),
    ...problems(...tenantProblems, 'not-found', 'content-deleted'),
  },
})

export const batchContentRoutes = newRouter()
  .openapi(listBatchItems, async (c) => {
    const { cursor, limit, status } = c.req.valid('query')
    const { batch_id } = c.req.valid('param')
    const scope = [c.var.principal.tenantId, 'batch_items', batch_id, { status }] as const
    const page = await pageOf(scope, { cursor, limit }, async (after, size) => {
      const { batch, items, nextAfter } = await c.var.ledger((own) =>
        own.batchItems(batch_id, status ?? null, numberOf(after), size),
      )
      const model = modelOf(batch)
      return { data: items.map((item) => itemView(item, model)), nextAfter: nextAfter?.toString() ?? null }
    })
    return c.json(page, 200)
  })
  .openapi(getBatchManifest, async (c) => {
    const { batch_id } = c.req.valid('param')
    const scope = [c.var.principal.tenantId, 'batch_manifest', batch_id] as const
    const page = await pageOf(scope, c.req.valid('query'), async (after, size) => {
      const manifest = await c.var.ledger((own) => own.batchManifest(batch_id, numberOf(after), size))
      return { ...manifestView(manifest), nextAfter: manifest.nextAfter?.toString() ?? null }
    })
    return c.json(page, 200)
  })
  .openapi(getBatchReport, async (c) => {
    const { batch_id } = c.req.valid('param')
    return c.json(reportView(await c.var.ledger((ledger) => ledger.batchReport(batch_id))), 200)
  })
  .openapi(getBatchResults, async (c) => {
    const { batch_id } = c.req.valid('param')
    const found = await c.var.ledger((ledger) => ledger.batchParts(batch_id))
    return c.body(streamResults(c, found), 200, asJsonLines)
  })
