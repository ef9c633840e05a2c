/** One attempt at one delivery: guard, sign, send. The one place that builds a webhook request. */
import type { DueDelivery } from '../ledger/deliveries.ts'
import { checkDestination } from '../ledger/destination.ts'
import { randomBytes } from '../ledger/ids.ts'
import type { DeliveryAttempt } from '../ledger/schema.ts'
import { sign } from '../ledger/signature.ts'
import { continueTrace } from '../ledger/trace.ts'
import { type ExchangeParts, exchange } from './exchange.ts'
import type { Settings } from './settings.ts'

const USER_AGENT = 'async-ai-gateway-webhooks/1'

/** Signed afresh for this attempt: same ID, same bytes, new timestamp. */
export async function deliver(
  url: string,
  secret: string,
  delivery: DueDelivery,
  settings: Settings,
  parts: ExchangeParts,
): Promise<DeliveryAttempt> {
  const destination = checkDestination(url, settings.rules)
  if (!destination.ok)
    return { at: parts.now(), status_code: null, error: 'url_refused', latency_ms: 0, response_excerpt: null }

  const timestamp = Math.floor(parts.now() / 1000)
  const headers = {
    'Content-Type': 'application/json',
    'User-Agent': USER_AGENT,
    'webhook-id': delivery.eventId,
    'webhook-timestamp': String(timestamp),
    ...(delivery.traceparent && { traceparent: continueTrace(delivery.traceparent, randomBytes) }),
    'webhook-signature': await sign(secret, delivery.eventId, timestamp, delivery.body),
  }
  return exchange(new Request(destination.url, { method: 'POST', headers, body: delivery.body }), parts)
}
