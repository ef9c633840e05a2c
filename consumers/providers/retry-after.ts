/** When a provider asks to be called again. Pure. */
import { parseDecimal, parseRetryAfter } from '../../ledger/retry-after.ts'

/**
 * The longest that is believed: a header is the provider's word, and one that says 1e9 seconds, in error or in malice, must park
 * neither a job nor, for all tenants, a model for longer than our own longest backoff. Whoever is still over a limit after that will
 * be told so again.
 */
export const LONGEST_RETRY_AFTER_MS = 600_000

/**
 * Milliseconds from `now` by `retry-after-ms` (OpenAI's, finer) or `Retry-After`. A date that has passed is 0, more than ten minutes is
 * ten minutes; null where there is neither header or nothing that makes sense.
 */
export function retryAfterMs(headers: Pick<Headers, 'get'>, now: number): number | null {
  const wanted =
    parseDecimal(headers.get('retry-after-ms'), 1) ?? parseRetryAfter(headers.get('retry-after'), now)
  return wanted === null ? null : Math.min(Math.max(0, wanted), LONGEST_RETRY_AFTER_MS)
}
