/** The test webhook: sent at once, by the same rules as every other, and kept nowhere. */
import type { Context } from 'hono'
import { mintId, randomBytes } from '../ledger/ids.ts'
import { log } from '../ledger/log.ts'
import type { DeliveryAttempt } from '../ledger/schema.ts'
import { continueTrace } from '../ledger/trace.ts'
import { deliver, type Telling, unsent } from '../ledger/webhooks/deliver.ts'
import { openRecipient, type SealedRecipient } from '../ledger/webhooks/recipient.ts'
import { timestamp } from '../ledger/wire.ts'
import type { GatewayContext } from './router.ts'

export type PingResult = Pick<DeliveryAttempt, 'status_code' | 'latency_ms' | 'error' | 'response_excerpt'>

/** What a receiver does wrong is a result. */
export async function sendPing(c: Context<GatewayContext>, sealed: SealedRecipient): Promise<PingResult> {
  const { attempt } = await attemptPing(c, sealed)
  const { status_code, latency_ms, error, response_excerpt } = attempt
  const { tenantId: tenant_id } = c.var.principal
  log('webhook.tested', { tenant_id, endpoint_id: sealed.endpointId, status_code, error, latency_ms })
  return { status_code, latency_ms, error, response_excerpt }
}

/** Without a key that signs it is a fault of ours, and a result as well: nothing is ever sent unsigned. */
async function attemptPing(c: Context<GatewayContext>, sealed: SealedRecipient) {
  const { guard, keyEncryptionKeys } = c.var.config
  const unsigned = () => unsent(Date.now(), 'signing_key_unavailable')
  const recipient = await openRecipient(keyEncryptionKeys, sealed).catch(() => null)
  if (!recipient) return unsigned()
  const telling = pingOf(sealed.endpointId, c.req.header('traceparent'))
  // Only where it runs: the API's description is made of these routes too, without the platform.
  const { outside } = await import('../ledger/webhooks/outside.ts')
  return deliver(recipient, telling, { ...outside, guard, randomBytes }).catch(unsigned)
}

function pingOf(endpointId: string, traceparent: string | undefined): Telling {
  const now = Date.now()
  const eventId = mintId('evt', 0, now, randomBytes)
  const data = { id: endpointId, object: 'webhook_endpoint' }
  const event = { id: eventId, object: 'event', type: 'ping', timestamp: timestamp(now), data }
  return { eventId, body: JSON.stringify(event), traceparent: continueTrace(traceparent, randomBytes) }
}
