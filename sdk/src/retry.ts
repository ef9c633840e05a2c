/** Whether a request is worth sending again, and after which pause. Pure. */

export interface RetryPolicy {
  /** How often a request is sent again at most. */
  readonly retries: number
  /** The bound of the first pause; each further one is twice as long. */
  readonly baseMs: number
  /** No pause is longer. A `Retry-After` beyond it is left to the caller: the error says how long. */
  readonly capMs: number
}

export const defaultPolicy: RetryPolicy = { retries: 4, baseMs: 500, capMs: 60_000 }

/** What an attempt came to; `status` is null where no whole answer came. */
export interface Outcome {
  readonly status: number | null
  readonly slug: string | null
  readonly retryAfterMs: number | null
}

const passing = new Set([408, 429, 500, 502, 503, 504])

const mayPass = ({ status, slug }: Outcome) =>
  status === null || passing.has(status) || (status === 409 && slug === 'idempotency-in-progress')

/** The pause after so many attempts (1 at first) and before the next, with full jitter; null when there is to be none. */
export function pauseBeforeRetry(
  attempts: number,
  outcome: Outcome,
  policy: RetryPolicy,
  random: () => number,
): number | null {
  if (attempts > policy.retries || !mayPass(outcome)) return null
  const { retryAfterMs } = outcome
  // Clients that were all told the same second do not all come in it.
  if (retryAfterMs !== null)
    return retryAfterMs > policy.capMs ? null : Math.ceil(retryAfterMs + random() * policy.baseMs)
  return Math.ceil(random() * Math.min(policy.capMs, policy.baseMs * 2 ** (attempts - 1)))
}
