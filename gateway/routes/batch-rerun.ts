/** Running a batch again. The ledger knows the batch; only what parameters its kind has is said here. */
import type { Context } from 'hono'
import { kindOf } from '../../catalog/kinds.ts'
import { mintId, randomBytes } from '../../ledger/ids.ts'
import { continueTrace } from '../../ledger/trace.ts'
import type { RerunRequest } from '../../openapi/batch-requests.ts'
import { fieldErrors, jsonPointer } from '../../openapi/field-errors.ts'
import { requestKey } from '../idempotency.ts'
import { standingOrders } from '../orders.ts'
import { Problem } from '../problem.ts'
import type { GatewayContext } from '../router.ts'

/** The new batch, or the first answer under the request's key; throws the problem of a refusal. */
export async function rerun(c: Context<GatewayContext>, id: string, body: RerunRequest) {
  if (body.params) await checkParams(c, id, body.params)
  const call = { id: mintId('batch', 0, Date.now(), randomBytes), key: await requestKey(c) }
  const order = {
    mode: body.mode,
    processingVersion: body.processing_version ?? null,
    model: body.model ?? null,
    params: body.params ? JSON.stringify(body.params) : null,
    createdBy: c.var.principal.clientId,
    traceparent: continueTrace(c.req.header('traceparent'), randomBytes),
  }
  const orders = await standingOrders(c)
  return c.var.ledger((ledger) => ledger.rerunBatch(call, id, order, orders))
}

async function checkParams(c: Context<GatewayContext>, id: string, params: object): Promise<void> {
  const { kind } = await c.var.ledger((ledger) => ledger.readBatch(id))
  const parsed = kindOf(kind).params.safeParse(params)
  if (parsed.success) return
  throw new Problem('invalid-request', {
    detail: 'The parameters are not those of the kind of the batch.',
    errors: fieldErrors(parsed.error.issues, (path) => ({
      pointer: `/params${jsonPointer(path)}`,
      detail: '',
    })),
  })
}
