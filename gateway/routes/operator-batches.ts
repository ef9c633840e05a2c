/** Batches as operators look after them: those that make no headway, one, and what they decide about it. */
import { createRoute, type z } from '@hono/zod-openapi'
import type { Context } from 'hono'
import { isBatchOver } from '../../ledger/batches/batch.ts'
import type { Decision } from '../../ledger/batches/decide-batch.ts'
import type { BatchForOperators } from '../../ledger/batches/for-operators.ts'
import type { BatchSnapshot } from '../../ledger/batches/snapshots.ts'
import { findDeadLetterOfBatch } from '../../ledger/directory/dead-letters.ts'
import { openDirectory } from '../../ledger/directory/open.ts'
import { recordAct } from '../../ledger/directory/operations.ts'
import { tenantOf } from '../../ledger/directory/tenants.ts'
import type { Outcome } from '../../ledger/replies.ts'
import {
  OperatorBatchDetail,
  OperatorBatchPage,
  OperatorBatchQuery,
  OwnerQuery,
} from '../../openapi/operator-batches.ts'
import { ReasonedAction } from '../../openapi/ops.ts'
import { type Found, findAcross } from '../across-ledgers.ts'
import { forOperators } from '../auth/authenticate.ts'
import { listStalled, type StalledPosition } from '../batches-of-all.ts'
import { badCursor } from '../cursor.ts'
import { callLedger, outOfReach } from '../ledgers.ts'
import { onceInSteps } from '../once.ts'
import { pageOf } from '../page.ts'
import { Problem, problems } from '../problem.ts'
import { type GatewayContext, newRouter } from '../router.ts'
import { operatorBatchView, stalledView } from '../views/operator-batch.ts'
import { BatchParams } from './batch.ts'
import { json, jsonBody, keyedForOperators, operatorPostProblems, operatorProblems } from './shared.ts'

const tags = ['Batches']
const read = forOperators('ops:read')
const write = keyedForOperators('ops:write')

const listStalledBatches = createRoute({
  operationId: 'listStalledBatches',
  method: 'get',
  path: '/ops/v1/batches',
  tags,
  summary: 'List batches that have stalled',
  description:
    'Tenant by tenant, each newest first. A page asks the ledgers of at most 50 tenants, so it can be short, or empty, with a `next_cursor`.',
  ...read,
  request: { query: OperatorBatchQuery },
  responses: {
    200: json('A page of batches.', OperatorBatchPage),
    ...problems(...operatorProblems),
  },
})

const getBatchForOperators = createRoute({
  operationId: 'getBatch',
  method: 'get',
  path: '/ops/v1/batches/{batch_id}',
  tags,
  summary: 'Read a batch with its chunks',
  description:
    "What was done about each chunk, and what the tenant was told. Never items, content, or the tenant's own text.",
  ...read,
  request: { params: BatchParams, query: OwnerQuery },
  responses: {
    200: json('The batch.', OperatorBatchDetail),
    ...problems(...operatorProblems, 'not-found'),
  },
})

const decisionRoute = <N extends string, A extends string>(
  operationId: N,
  action: A,
  summary: string,
  description: string,
) =>
  createRoute({
    operationId,
    method: 'post',
    path: `/ops/v1/batches/{batch_id}/${action}`,
    tags,
    summary,
    description,
    ...write,
    request: { params: BatchParams, query: OwnerQuery, body: jsonBody(ReasonedAction) },
    responses: {
      200: json('The batch as it is now.', OperatorBatchDetail),
      ...problems(...operatorPostProblems, 'not-found', 'batch-settled', 'idempotency-in-progress'),
    },
  })

const waitForBatch = decisionRoute(
  'waitForBatch',
  'wait',
  'Let a stalled batch wait on',
  'It counts as stalled again when its provider has kept it waiting for as long once more.',
)
const cancelBatch = decisionRoute(
  'cancelBatch',
  'cancel',
  'Cancel a batch',
  'What is pending ends as cancelled; the tenant is told as if it had cancelled it itself.',
)
const runBatchIndividually = decisionRoute(
  'runBatchIndividually',
  'run_individually',
  'Run what is left of a batch as single jobs',
  'An answer that still comes for it by the batch only costs.',
)

export const operatorBatchRoutes = newRouter()
  .openapi(listStalledBatches, async (c) => {
    const { cursor, limit, tenant_id } = c.req.valid('query')
    const scope = ['ops', 'batches', { tenant_id }] as const
    const page = await pageOf(scope, { cursor, limit }, async (after, size) => {
      const listed = await listStalled(c.env, tenant_id, positionOf(after), size)
      const { stalled, unreachable: unreachable_tenants, nextAfter } = listed
      return { data: stalled.map(stalledView), unreachable_tenants, nextAfter: textOf(nextAfter) }
    })
    return c.json(page, 200)
  })
  .openapi(getBatchForOperators, async (c) => {
    const { tenant_id } = c.req.valid('query')
    const { batch_id } = c.req.valid('param')
    return c.json(await detailOf(c.env, await findBatch(c.env, batch_id, tenant_id)), 200)
  })
  .openapi(waitForBatch, async (c) =>
    c.json(
      await decide(c, 'wait', orderOf(c.req.valid('param'), c.req.valid('query'), c.req.valid('json'))),
      200,
    ),
  )
  .openapi(cancelBatch, async (c) =>
    c.json(
      await decide(c, 'cancel', orderOf(c.req.valid('param'), c.req.valid('query'), c.req.valid('json'))),
      200,
    ),
  )
  .openapi(runBatchIndividually, async (c) =>
    c.json(
      await decide(
        c,
        'run_individually',
        orderOf(c.req.valid('param'), c.req.valid('query'), c.req.valid('json')),
      ),
      200,
    ),
  )

const textOf = (at: StalledPosition | null) => at && `${at.ledger} ${at.batchId ?? ''}`

function positionOf(text: string | null): StalledPosition | null {
  if (text === null) return null
  const [, ledger, batchId] = /^([a-z0-9:-]+) ([a-z0-9_]*)$/.exec(text) ?? []
  if (!ledger) throw badCursor()
  return { ledger, batchId: batchId || null }
}

const findBatch = (env: GatewayEnv, id: string, tenantId: string | undefined) =>
  findAcross(env, { noun: 'batch', id, tenantId, read: (ledger) => ledger.readBatchForOperators(id) })

async function detailOf(env: GatewayEnv, found: Found<BatchForOperators>): Promise<OperatorBatchDetail> {
  const directory = openDirectory(env.DIRECTORY)
  const letter = await findDeadLetterOfBatch(directory, found.found.batch.id).catch(outOfReach)
  return operatorBatchView(found, letter, Date.now())
}

interface Order {
  readonly batchId: string
  readonly tenantId: string | undefined
  readonly reason: string
}

const orderOf = (
  { batch_id: batchId }: z.infer<typeof BatchParams>,
  { tenant_id: tenantId }: z.infer<typeof OwnerQuery>,
  { reason }: z.infer<typeof ReasonedAction>,
): Order => ({ batchId, tenantId, reason })

/** The line in the audit log comes first, so that nothing is done without one; a batch that is over is left alone before. */
const decide = (c: Context<GatewayContext>, decision: Decision, { batchId, tenantId, reason }: Order) =>
  onceInSteps<OperatorBatchDetail>(c, async () => {
    const { ledger, found } = await findBatch(c.env, batchId, tenantId)
    if (isBatchOver(found.batch.status)) throw new Problem('batch-settled')
    const act = { operator: c.var.principal.clientId, reason, at: Date.now() }
    await recordAct(openDirectory(c.env.DIRECTORY), `batch.${decision}`, batchId, act).catch(outOfReach)
    const outcome = await callLedger<Outcome<BatchSnapshot>>(c.env, ledger, (stub) =>
      stub.decideBatch(batchId, decision),
    )
    if (!outcome.ok) throw Problem.fromRefusal(outcome.refusal)
    return detailOf(c.env, await findBatch(c.env, batchId, tenantOf(ledger)))
  })
