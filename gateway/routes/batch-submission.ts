/** From a valid request to an accepted batch: items that came inline are checked and planned before the ledger hears of them. */
import type { Context } from 'hono'
import type { BatchRequest as LedgerRequest } from '../../ledger/batches/plan.ts'
import { inputKey } from '../../ledger/content.ts'
import { mintId, randomBytes } from '../../ledger/ids.ts'
import type { Orders } from '../../ledger/orders.ts'
import { continueTrace } from '../../ledger/trace.ts'
import type { BatchRequest } from '../../openapi/batch-requests.ts'
import type { FieldError } from '../../openapi/common.ts'
import { storeOnce } from '../content.ts'
import { requestKey } from '../idempotency.ts'
import { standingOrders } from '../orders.ts'
import { Problem } from '../problem.ts'
import type { GatewayContext, IdempotencyKey } from '../router.ts'
import { planItems } from './batch-plan.ts'
import { checkedBatch } from './batch-request.ts'

interface Caller {
  readonly tenantId: string
  readonly key: IdempotencyKey
  readonly orders: Orders
}

/** The accepted batch, or the first answer under the request's key; throws the problem of a refusal. */
export async function submitBatch(c: Context<GatewayContext>, body: BatchRequest) {
  const { clientId, tenantId } = c.var.principal
  const key = await requestKey(c)
  if (!key || !tenantId) throw new Problem('idempotency-key-required')
  const call = { id: mintId('batch', 0, Date.now(), randomBytes), key }
  const traceparent = continueTrace(c.req.header('traceparent'), randomBytes)
  const orders = await standingOrders(c)
  const checked = checkedBatch(body, c.var.config.providers, orders.models)
  const asked = { ...checked, call, createdBy: clientId, traceparent }
  const { items, items_file_id: fileId } = body
  if (items) return submitInline(c, { tenantId, key, orders }, asked, items)
  if (fileId === undefined) throw new Problem('internal')
  const request: LedgerRequest = { ...asked, source: { kind: 'file', fileId } }
  return c.var.ledger((ledger) => ledger.acceptBatch(request, false, orders))
}

/** Items go to R2 only for a batch that would be accepted: a refused request stores nothing. */
async function submitInline(
  c: Context<GatewayContext>,
  { tenantId, key, orders }: Caller,
  asked: Omit<LedgerRequest, 'source'>,
  items: readonly unknown[],
) {
  const { plan, ndjson, errors, hasFiles, fileIds } = await planItems(c, tenantId, asked, items)
  if (errors.length > 0 && !hasFiles) throw unfit(errors)
  const now = Date.now()
  const ref = inputKey(tenantId, key, now)
  const request: LedgerRequest = { ...asked, source: { kind: 'inline', ref, plan, fileIds } }
  const foretold = await c.var.ledger((ledger) => ledger.foretellBatch(request, orders))
  if (foretold) return foretold
  // After the key: a file that was there the first time may be gone by now.
  if (errors.length > 0) throw unfit(errors)
  await storeOnce(c.env.CONTENT, ref, ndjson)
  return c.var.ledger((ledger) => ledger.acceptBatch(request, true, orders))
}

const unfit = (errors: FieldError[]) =>
  new Problem('invalid-request', { detail: 'Items of the batch cannot be taken as they are.', errors })
