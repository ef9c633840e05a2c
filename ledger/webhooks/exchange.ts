/** One POST to a receiver, bounded in time and size, with its outcome as data: a receiver's failure is no fault of ours. */
import type { DeliveryAttempt } from '../schema.ts'

export const EXCHANGE_MS = 15_000
const EXCERPT_BYTES = 1024

/** In production a connection that fails is a status, made up by the platform; locally it is an exception. */
const connectionStatuses: Record<number, string> = {
  521: 'connection_refused',
  522: 'connection_timed_out',
  523: 'unreachable',
  524: 'timeout',
  525: 'tls_failed',
  526: 'tls_failed',
  530: 'dns_failed',
}

export interface ExchangeParts {
  readonly fetch: typeof fetch
  readonly now: () => number
}

export interface Exchanged {
  readonly attempt: DeliveryAttempt
  /** How long the receiver asks to be left alone; null when it does not say. */
  readonly retryAfterMs: number | null
}

/** Sends the request; 15 s for the whole exchange, redirects not followed, at most 1 KiB of the answer read. */
export async function exchange(request: Request, { fetch, now }: ExchangeParts): Promise<Exchanged> {
  const at = now()
  try {
    const response = await fetch(request, { redirect: 'manual', signal: AbortSignal.timeout(EXCHANGE_MS) })
    const excerpt = await readExcerpt(response)
    return {
      attempt: { at, ...judged(response.status), latency_ms: now() - at, ...excerpt },
      retryAfterMs: null,
    }
  } catch (error) {
    const reason = error instanceof Error && error.name === 'TimeoutError' ? 'timeout' : 'connection_failed'
    const attempt = { at, status_code: null, error: reason, latency_ms: now() - at, ...nothing }
    return { attempt, retryAfterMs: null }
  }
}

function judged(status: number): { status_code: number | null; error: string | null } {
  const connection = connectionStatuses[status]
  if (connection) return { status_code: null, error: connection }
  if (status >= 200 && status < 300) return { status_code: status, error: null }
  return { status_code: status, error: status >= 300 && status < 400 ? 'redirect' : 'http_status' }
}

const nothing = { response_excerpt: null, response_truncated: false }

type Excerpt = Pick<DeliveryAttempt, 'response_excerpt' | 'response_truncated'>

async function readExcerpt({ body }: Response): Promise<Excerpt> {
  if (!body) return nothing
  const reader = body.getReader()
  const bytes = new Uint8Array(EXCERPT_BYTES)
  let length = 0
  let truncated = false
  while (!truncated) {
    const { done, value } = await reader.read()
    if (done) break
    truncated = length + value.length > EXCERPT_BYTES
    const part = value.subarray(0, EXCERPT_BYTES - length)
    bytes.set(part, length)
    length += part.length
  }
  await reader.cancel().catch(() => undefined)
  const text = length > 0 ? new TextDecoder().decode(bytes.subarray(0, length)) : null
  return { response_excerpt: text, response_truncated: truncated }
}
