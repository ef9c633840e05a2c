/** One attempt: guard, sign, send. The one place that builds a webhook request, whatever the attempt is for. */
import type { RandomBytes } from '../ids.ts'
import { continueTrace } from '../trace.ts'
import { type Exchanged, type ExchangeParts, exchange } from './exchange.ts'
import type { Guard } from './guard.ts'
import type { DeliveryError } from './outcome.ts'
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
  const verdict = await parts.guard(recipient.url)
  if (!verdict.ok) return unsent(parts.now(), verdict.passing ? 'lookup_unavailable' : 'url_refused')
  const headers = await headersOf(recipient, telling, parts)
  return exchange(new Request(verdict.url, { method: 'POST', headers, body: telling.body }), parts)
}

/** The endpoint's own headers, and over them ours: a name in other letters is the same name. */
async function headersOf(
  recipient: Recipient,
  { eventId, body, traceparent }: Telling,
  { now, randomBytes }: SendingParts,
): Promise<Headers> {
  const timestamp = Math.floor(now() / 1000)
  const ours = {
    'Content-Type': 'application/json',
    // A body that is not compressed cannot inflate.
    'Accept-Encoding': 'identity',
    'User-Agent': USER_AGENT,
    'webhook-id': eventId,
    'webhook-timestamp': String(timestamp),
    'webhook-signature': await sign(recipient, eventId, timestamp, body),
    ...(traceparent && { traceparent: continueTrace(traceparent, randomBytes) }),
  }
  const headers = new Headers(recipient.headers)
  for (const [name, value] of Object.entries(ours)) headers.set(name, value)
  return headers
}

/** An attempt that ended before anything was sent. */
export const unsent = (at: number, error: DeliveryError): Exchanged => ({
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
