/**
 * How a request travels: again where its answer was lost or a refusal may pass. Any may come twice, for a POST carries a key that
 * was made once, a PATCH sets values, and what a DELETE deletes may be gone already.
 */
import { ConnectionError, slugOf } from './errors.ts'
import { type Outcome, pauseBeforeRetry, type RetryPolicy } from './retry.ts'
import { retryAfterMs } from './retry-after.ts'
import { bounded, type Sleep } from './time.ts'

export interface Means {
  readonly fetch: typeof fetch
  readonly now: () => number
  readonly random: () => number
  readonly sleep: Sleep
  readonly newKey: () => string | Promise<string>
  readonly policy: RetryPolicy
  /** For one attempt, until its answer is there. */
  readonly timeoutMs: number
}

/** A request that can be sent as often as need be, its body being at hand. */
export interface Call {
  readonly url: string
  readonly method: string
  readonly headers: Headers
  readonly body: Uint8Array<ArrayBuffer> | null
  readonly signal: AbortSignal
}

/** What a slow line may take for a byte of the body, in addition. */
const MS_PER_BYTE = 0.01

export async function callOf(request: Request): Promise<Call> {
  const { url, method, signal } = request
  const none = method === 'GET' || method === 'HEAD'
  const body = none ? null : new Uint8Array(await request.arrayBuffer())
  return { url, method, headers: new Headers(request.headers), body: body?.byteLength ? body : null, signal }
}

/** A whole answer, or why there is none. */
type Answer = { readonly response: Response } | { readonly response: null; readonly fault: unknown }

/** Sends a call until there is an answer to give, or it is no use. */
export async function deliver(call: Call, means: Means): Promise<Response> {
  for (let attempts = 1; ; attempts++) {
    const answer = await attempt(call, means)
    call.signal.throwIfAborted()
    const outcome = await outcomeOf(answer, means.now())
    const pause = pauseBeforeRetry(attempts, outcome, means.policy, means.random)
    if (pause !== null) await means.sleep(pause, call.signal)
    else if (answer.response) return answer.response
    else throw lost(call, attempts, answer.fault)
  }
}

function lost({ method, url }: Call, attempts: number, cause: unknown): ConnectionError {
  const what = `${method} ${new URL(url).pathname}`
  const why = cause instanceof Error ? cause.message : String(cause)
  return new ConnectionError(`No answer to ${what}, sent ${attempts} times: ${why}`, { cause })
}

async function attempt({ url, method, headers, body, signal: caller }: Call, means: Means): Promise<Answer> {
  const { signal, inTime } = bounded(caller, means.timeoutMs + (body?.byteLength ?? 0) * MS_PER_BYTE)
  try {
    // A gateway redirects nowhere, and a token is for it alone.
    const response = await means.fetch(url, { method, headers, body, signal, redirect: 'manual' })
    return { response: isStream(response) ? response : await whole(response) }
  } catch (fault) {
    return { response: null, fault }
  } finally {
    inTime()
  }
}

const isStream = ({ ok, headers }: Response) =>
  ok && headers.get('Content-Type')?.split(';')[0]?.trim() === 'application/x-ndjson'

/** Read to its end, so that an answer that is cut short counts as none. */
async function whole(response: Response): Promise<Response> {
  const bytes = await response.arrayBuffer()
  const { status, statusText, headers } = response
  if (status < 200) throw new Error('The answer leads elsewhere.')
  return new Response(bytes.byteLength ? bytes : null, { status, statusText, headers })
}

async function outcomeOf({ response }: Answer, now: number): Promise<Outcome> {
  if (!response) return { status: null, slug: null, retryAfterMs: null }
  const { status, headers } = response
  const slug = status === 409 ? slugOf(await jsonOf(response.clone())) : null
  return { status, slug, retryAfterMs: retryAfterMs(headers, now) }
}

const jsonOf = (response: Response): Promise<unknown> => response.json().catch(() => null)
