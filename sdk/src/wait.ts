/** Waiting for the end of a job or a batch: the gateway holds its answer back for as long as nothing changes. */
import { WaitTimeoutError } from './errors.ts'
import { retryAfterMs } from './retry-after.ts'
import type { Means } from './transport.ts'

export interface WaitOptions<T> {
  readonly signal?: AbortSignal
  /** How long to wait at most; for ever unless given. Past it, a `WaitTimeoutError` holds the last state. */
  readonly timeoutMs?: number
  /** Told the state at first, and whenever it has changed. */
  readonly onChange?: (state: T) => void
}

/** What a look came to; `state` is null where nothing has changed. */
export interface Look<T> {
  readonly state: T | null
  readonly headers: Headers
}

export type LookUp<T> = (headers: Record<string, string>) => Promise<Look<T>>

/** An answer may be held back for 30 seconds; a little less gets through proxies that allow no more. */
const LONGEST_WAIT_SECONDS = 25
const DEFAULT_PAUSE_MS = 1000

/** The state once it is terminal, whatever the end. */
export async function waitForEnd<T extends { id: string; status: string; terminal: boolean }>(
  lookUp: LookUp<T>,
  { signal, timeoutMs = Number.POSITIVE_INFINITY, onChange }: WaitOptions<T>,
  means: Pick<Means, 'now' | 'sleep'>,
): Promise<T> {
  const until = means.now() + timeoutMs
  let last: T | null = null
  let etag: string | null = null
  for (;;) {
    const left = until - means.now()
    if (left <= 0) throw new WaitTimeoutError(timeoutMs, last)
    // The first look is for something to tell. With nobody to tell, answers are held back through all that comes before the end.
    const isFirst = onChange !== undefined && etag === null
    const { state, headers } = await lookUp(isFirst ? {} : conditions(left, onChange ? etag : null))
    if (state) onChange?.(state)
    if (state?.terminal) return state
    last = state ?? last
    etag = headers.get('ETag') ?? etag
    const pause = isFirst && etag !== null ? 0 : pauseAfter(headers, means.now())
    await means.sleep(Math.max(0, Math.min(pause, until - means.now())), signal)
  }
}

function conditions(leftMs: number, etag: string | null): Record<string, string> {
  const seconds = Math.max(1, Math.min(LONGEST_WAIT_SECONDS, Math.ceil(leftMs / 1000)))
  return { Prefer: `wait=${seconds}`, ...(etag !== null && { 'If-None-Match': etag }) }
}

/** An answer that was held back needs no pause after it; one that was not, as when too many wait at once, does. */
export const pauseAfter = (headers: Headers, now: number) =>
  headers.has('Preference-Applied') ? 0 : (retryAfterMs(headers, now) ?? DEFAULT_PAUSE_MS)
