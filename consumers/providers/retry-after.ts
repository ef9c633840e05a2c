/**
 * When a provider asks to be called again. Pure.
 *
 * The longest that is believed: a header is the provider's word, and one that says 1e9 seconds, in error or in malice, must park no
 * job for longer than it takes to ask again. Whoever is still over a limit after that will be told so.
 */
export const LONGEST_RETRY_AFTER_MS = 3_600_000

const decimal = /^[0-9]+(\.[0-9]+)?$/
/** IMF-fixdate, and the obsolete forms that a recipient must accept (RFC 9110, section 5.6.7). */
const httpDate =
  /^(?:(?:Mon|Tue|Wed|Thu|Fri|Sat|Sun), \d{2} [A-Z][a-z]{2} \d{4} \d{2}:\d{2}:\d{2} GMT|(?:Mon|Tues|Wednes|Thurs|Fri|Satur|Sun)day, \d{2}-[A-Z][a-z]{2}-\d{2} \d{2}:\d{2}:\d{2} GMT|(?:Mon|Tue|Wed|Thu|Fri|Sat|Sun) [A-Z][a-z]{2} [ \d]\d \d{2}:\d{2}:\d{2} \d{4})$/

/**
 * Milliseconds from `now` by `retry-after-ms` (OpenAI's, finer) or `Retry-After`, in seconds or as a date (RFC 9110, section 10.2.3).
 * A date that has passed is 0, more than an hour is an hour; null where there is neither header or nothing that makes sense.
 */
export function retryAfterMs(headers: Pick<Headers, 'get'>, now: number): number | null {
  const wanted = number(headers.get('retry-after-ms'), 1) ?? secondsOrDate(headers.get('retry-after'), now)
  return wanted === null ? null : Math.min(Math.max(0, Math.ceil(wanted)), LONGEST_RETRY_AFTER_MS)
}

function number(text: string | null, unitMs: number): number | null {
  const trimmed = text?.trim() ?? ''
  return decimal.test(trimmed) ? Number(trimmed) * unitMs : null
}

function secondsOrDate(text: string | null, now: number): number | null {
  const seconds = number(text, 1000)
  if (seconds !== null || text === null || !httpDate.test(text.trim())) return seconds
  // asctime names no zone; it is GMT like the others.
  const at = Date.parse(text.trim().replace(/(?<! GMT)$/, ' GMT'))
  return Number.isNaN(at) ? null : at - now
}
