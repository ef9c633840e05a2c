/** From a valid request to an accepted job: the ledger is asked before large content is stored, and told where it lies. */
import type { Context } from 'hono'
import type { AcceptRequest } from '../../ledger/accept.ts'
import { mintId, randomBytes } from '../../ledger/ids.ts'
import type { Orders } from '../../ledger/orders.ts'
import { continueTrace } from '../../ledger/trace.ts'
import type { JobRequest } from '../../openapi/jobs.ts'
import { isInline, type StoredInput, storeInput } from '../content.ts'
import { requestKey } from '../idempotency.ts'
import { standingOrders } from '../orders.ts'
import { Problem } from '../problem.ts'
import type { GatewayContext } from '../router.ts'
import { checkedJob } from './job-request.ts'

/** The accepted job, or the first answer under the request's key; throws the problem of a refusal. */
export async function submit(c: Context<GatewayContext>, body: JobRequest) {
  const { clientId, tenantId } = c.var.principal
  const key = await requestKey(c)
  if (!key || !tenantId) throw new Problem('idempotency-key-required')
  const traceparent = continueTrace(c.req.header('traceparent'), randomBytes)
  const orders = await standingOrders(c)
  const fields = checkedJob(body, c.var.config.providers, orders.models)
  const checked = { ...fields, key, createdBy: clientId, traceparent }
  const input = JSON.stringify(body.input)
  return isInline(input)
    ? accept(c, checked, { input, inputRef: null }, orders)
    : acceptLarge(c, tenantId, checked, input, orders)
}

type Checked = Omit<AcceptRequest, 'jobId' | keyof StoredInput>

const accept = (
  c: Context<GatewayContext>,
  checked: Checked,
  content: StoredInput,
  orders: Orders,
  foretold = false,
) => {
  const request = { ...checked, ...content, jobId: mintId('job', 0, Date.now(), randomBytes) }
  return c.var.ledger((ledger) => ledger.acceptJob(request, foretold, orders))
}

/** Content goes to R2 only for a job that would be accepted: a refused request stores nothing. */
async function acceptLarge(
  c: Context<GatewayContext>,
  tenantId: string,
  checked: Checked,
  input: string,
  orders: Orders,
) {
  const now = Date.now()
  const asked = { ...checked, input: null, inputRef: null, jobId: mintId('job', 0, now, randomBytes) }
  const foretold = await c.var.ledger((ledger) => ledger.foretell(asked, orders))
  if (foretold) return foretold
  const stored = await storeInput(c.env.CONTENT, tenantId, checked.key, input, now)
  return accept(c, checked, stored, orders, true)
}
