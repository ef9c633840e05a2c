/** One attempt: guard, sign, send. The one place that builds a webhook request, whatever the attempt is for. */
import type { RandomBytes } from '../ids.ts'
import { continueTrace } from '../trace.ts'
import { type Exchanged, type ExchangeParts, exchange } from './exchange.ts'
import type { Guard } from './guard.ts'
import type { Recipient } from './recipient.ts'
import { sign } from './signature.ts'

const USER_AGENT = 'async-ai-gateway-webhooks/1'

/** What is told: the bytes of `body` are those that are signed and sent. */
export interface Telling {
  readonly eventId: string
  readonly body: string
  /** W3C Trace Context; null where there is none. */
  readonly traceparent: string | null
}

export interface SendingParts extends ExchangeParts {
  readonly guard: Guard
  readonly randomBytes: RandomBytes
}

/** Signed afresh for this attempt: same ID, same bytes, new timestamp. */
export async function deliver(
  recipient: Recipient,
  telling: Telling,
  parts: SendingParts,
): Promise<Exchanged> {
  const at = parts.now()
  const verdict = await parts.guard(recipient.url)
  if (!verdict.ok) return unsent(at, verdict.passing ? 'dns_failed' : 'url_refused')

  const timestamp = Math.floor(at / 1000)
  const headers = {
    ...recipient.headers,
    'Content-Type': 'application/json',
    'User-Agent': USER_AGENT,
    'webhook-id': telling.eventId,
    'webhook-timestamp': String(timestamp),
    ...(telling.traceparent && { traceparent: continueTrace(telling.traceparent, parts.randomBytes) }),
    'webhook-signature': await sign(recipient, telling.eventId, timestamp, telling.body),
  }
  return exchange(new Request(verdict.url, { method: 'POST', headers, body: telling.body }), parts)
}

/** An attempt that ended before anything was sent. */
export const unsent = (at: number, error: string): Exchanged => ({
  attempt: {
    at,
    status_code: null,
    error,
    latency_ms: 0,
    response_excerpt: null,
    response_truncated: false,
  },
  retryAfterMs: null,
})
