/** When somebody asks to be called again: the value of `Retry-After` (RFC 9110, section 10.2.3). Pure. */

const decimal = /^[0-9]+(\.[0-9]+)?$/
/** IMF-fixdate, and the obsolete forms that a recipient must accept (RFC 9110, section 5.6.7). */
const httpDate =
  /^(?:(?:Mon|Tue|Wed|Thu|Fri|Sat|Sun), \d{2} [A-Z][a-z]{2} \d{4} \d{2}:\d{2}:\d{2} GMT|(?:Mon|Tues|Wednes|Thurs|Fri|Satur|Sun)day, \d{2}-[A-Z][a-z]{2}-\d{2} \d{2}:\d{2}:\d{2} GMT|(?:Mon|Tue|Wed|Thu|Fri|Sat|Sun) [A-Z][a-z]{2} [ \d]\d \d{2}:\d{2}:\d{2} \d{4})$/

/**
 * Milliseconds from `now`, in seconds (parts of one too, which some servers send) or as a date. Negative for a date that has passed;
 * null for what makes no sense. How much of it is believed is for the caller to say: it may be anything up to infinity.
 */
export function parseRetryAfter(text: string | null, now: number): number | null {
  const value = text?.trim() ?? ''
  if (!httpDate.test(value)) return parseDecimal(value, 1000)
  // asctime names no zone; it is GMT like the others.
  const at = Date.parse(value.replace(/(?<! GMT)$/, ' GMT'))
  return Number.isNaN(at) ? null : at - now
}

/** Milliseconds, rounded up, of a number without a sign in this unit; null for anything else. */
export function parseDecimal(text: string | null, unitMs: number): number | null {
  const value = text?.trim() ?? ''
  return decimal.test(value) ? Math.ceil(Number(value) * unitMs) : null
}
