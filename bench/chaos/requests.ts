/** One request of a customer's or an operator's, whatever it is answered with. */
import { setTimeout as sleep } from 'node:timers/promises'
import type { Caller } from '../support/gateway.ts'

const PAUSE_MS = 100
const PATIENCE_MS = 30_000
const MOST_TRIES = 300

export interface Answer {
  readonly status: number
  readonly id: string
  readonly replayed: boolean
  /** Before which asking again is of no use. */
  readonly waitMs: number
  readonly body: Record<string, unknown>
}

export interface Asking {
  readonly method: 'GET' | 'POST' | 'DELETE'
  readonly path: string
  /** An Idempotency-Key. */
  readonly key?: string
  /** A text is sent as a text file, all else as JSON. */
  readonly body?: object | string
  /** Of a text that is no plain one. */
  readonly contentType?: string
  /** The connection breaks after this long. */
  readonly breaksAfterMs?: number | null
}

/** Null where the connection broke. */
export async function ask({ authorization, url }: Caller, asking: Asking): Promise<Answer | null> {
  const { method, path, key, body, breaksAfterMs } = asking
  const contentType = asking.contentType ?? (typeof body === 'string' ? 'text/plain' : 'application/json')
  const headers = {
    Authorization: authorization,
    ...(body !== undefined && { 'Content-Type': contentType }),
    ...(key && { 'Idempotency-Key': key }),
  }
  const content = typeof body === 'string' ? body : JSON.stringify(body)
  const signal = AbortSignal.timeout(breaksAfterMs ?? PATIENCE_MS)
  try {
    const init = { method, headers, signal, ...(content !== undefined && { body: content }) }
    return await answerOf(await fetch(new URL(path, url), init))
  } catch {
    return null
  }
}

/** Requests whose connection broke, and those that were put off. */
export interface Tries {
  broken: number
  retried: number
}

/** Until there is an answer that asking again would not change. */
export async function insist(caller: Caller, asking: Asking, tally: Tries): Promise<Answer> {
  for (let tries = 0; tries < MOST_TRIES; tries++) {
    const answer = await ask(caller, tries === 0 ? asking : { ...asking, breaksAfterMs: null })
    if (answer && answer.status < 500 && answer.status !== 429) return answer
    tally[answer ? 'retried' : 'broken']++
    await sleep(answer?.waitMs ?? 0)
  }
  throw new Error(`${asking.key ?? asking.path} has no answer after ${MOST_TRIES} tries.`)
}

async function answerOf(response: Response): Promise<Answer> {
  const text = await response.text()
  const body = (text ? JSON.parse(text) : {}) as Record<string, unknown>
  const retryAfter = Number(response.headers.get('Retry-After'))
  return {
    status: response.status,
    id: typeof body.id === 'string' ? body.id : '',
    replayed: response.headers.get('Idempotency-Replayed') === 'true',
    waitMs: response.status === 429 ? retryAfter * 1000 : PAUSE_MS,
    body,
  }
}
