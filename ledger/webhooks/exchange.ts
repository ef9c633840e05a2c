/** One POST to a receiver, bounded in time and size, with its outcome as data: a receiver's failure is no fault of ours. */
import { parseRetryAfter } from '../retry-after.ts'
import type { DeliveryAttempt } from '../schema.ts'
import { bodyError, connectionError, type DeliveryError, isSuccess, judge, type Presence } from './outcome.ts'

export const EXCHANGE_MS = 15_000
const EXCERPT_BYTES = 1024
/** A header is the receiver's word, which must not park its deliveries for ever: the longest delay of our own schedule. */
export const LONGEST_RETRY_AFTER_MS = 24 * 3_600_000

export interface ExchangeParts {
  readonly fetch: typeof fetch
  readonly now: () => number
  /** Looks whether anything takes connections there, where the exceptions of `fetch` do not tell: the local run. */
  readonly look?: (url: URL) => Promise<Presence>
}

export interface Exchanged {
  readonly attempt: DeliveryAttempt
  /** How long the receiver asks to be left alone, a day at most; null when it does not say. */
  readonly retryAfterMs: number | null
}

/** Sends the request; 15 s for the whole exchange, redirects not followed, at most 1 KiB of the answer read. */
export async function exchange(request: Request, { fetch, now, look }: ExchangeParts): Promise<Exchanged> {
  const at = now()
  try {
    const response = await fetch(request, { redirect: 'manual', signal: AbortSignal.timeout(EXCHANGE_MS) })
    const { broken, ...excerpt } = await readExcerpt(response)
    const endedAt = now()
    return {
      attempt: { at, latency_ms: endedAt - at, ...judge(response.status, broken), ...excerpt },
      retryAfterMs: isSuccess(response.status) ? null : retryAfterMs(response.headers, endedAt),
    }
  } catch (thrown) {
    const latency_ms = now() - at
    const url = new URL(request.url)
    const error = await connectionError(thrown, url.protocol, async () => (await look?.(url)) ?? 'unknown')
    return { attempt: { at, latency_ms, status_code: null, error, ...nothing }, retryAfterMs: null }
  }
}

function retryAfterMs(headers: Headers, now: number): number | null {
  const wanted = parseRetryAfter(headers.get('Retry-After'), now)
  return wanted === null || wanted < 0 ? null : Math.min(wanted, LONGEST_RETRY_AFTER_MS)
}

const nothing = { response_excerpt: null, response_truncated: false }

interface Excerpt extends Pick<DeliveryAttempt, 'response_excerpt' | 'response_truncated'> {
  /** Why the body ended too early; null when it ended well, or more of it came than anybody wants to see. */
  readonly broken: DeliveryError | null
}

async function readExcerpt({ body }: Response): Promise<Excerpt> {
  if (!body) return { ...nothing, broken: null }
  const reader = body.getReader()
  const taken: Taken = { bytes: new Uint8Array(EXCERPT_BYTES), length: 0, more: false }
  const broken = await take(reader, taken).then(() => null, bodyError)
  await reader.cancel().catch(() => undefined)
  return { response_excerpt: excerptOf(taken), response_truncated: taken.more, broken }
}

interface Taken {
  readonly bytes: Uint8Array
  length: number
  /** There was more than `bytes` can hold. */
  more: boolean
}

/** Reads until `taken` is full or the body ends. */
async function take(reader: ReadableStreamDefaultReader<Uint8Array>, taken: Taken): Promise<void> {
  while (!taken.more) {
    const { done, value } = await reader.read()
    if (done) return
    const room = EXCERPT_BYTES - taken.length
    taken.bytes.set(value.subarray(0, room), taken.length)
    taken.length += Math.min(value.length, room)
    taken.more = value.length > room
  }
}

/** A character that the end of the excerpt cuts in two is left out. */
const excerptOf = ({ bytes, length }: Taken) =>
  new TextDecoder().decode(bytes.subarray(0, length), { stream: true }) || null
