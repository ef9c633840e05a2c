/** One POST to a receiver, bounded in time and size, with its outcome as data: a receiver's failure is no fault of ours. */
import type { DeliveryAttempt } from '../ledger/schema.ts'

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

/** Sends the request; 15 s for the whole exchange, redirects not followed, at most 1 KiB of the answer read. */
export async function exchange(request: Request, { fetch, now }: ExchangeParts): Promise<DeliveryAttempt> {
  const at = now()
  try {
    const response = await fetch(request, { redirect: 'manual', signal: AbortSignal.timeout(EXCHANGE_MS) })
    const excerpt = await readExcerpt(response)
    return { at, ...judged(response.status), latency_ms: now() - at, response_excerpt: excerpt }
  } catch (error) {
    const reason = error instanceof Error && error.name === 'TimeoutError' ? 'timeout' : 'connection_failed'
    return { at, status_code: null, error: reason, latency_ms: now() - at, response_excerpt: null }
  }
}

function judged(status: number): { status_code: number | null; error: string | null } {
  const connection = connectionStatuses[status]
  if (connection) return { status_code: null, error: connection }
  if (status >= 200 && status < 300) return { status_code: status, error: null }
  return { status_code: status, error: status >= 300 && status < 400 ? 'redirect' : 'http_status' }
}

async function readExcerpt({ body }: Response): Promise<string | null> {
  if (!body) return null
  const reader = body.getReader()
  const bytes = new Uint8Array(EXCERPT_BYTES)
  let length = 0
  while (length < EXCERPT_BYTES) {
    const { done, value } = await reader.read()
    if (done) break
    const part = value.subarray(0, EXCERPT_BYTES - length)
    bytes.set(part, length)
    length += part.length
  }
  await reader.cancel().catch(() => undefined)
  return length > 0 ? new TextDecoder().decode(bytes.subarray(0, length)) : null
}
