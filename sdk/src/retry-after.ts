/** `Retry-After` (RFC 9110, section 10.2.3): seconds, or a date. */

/** In milliseconds from now; null where there is none that makes sense. */
export function retryAfterMs(headers: Headers, now: number): number | null {
  const value = headers.get('Retry-After')?.trim() ?? ''
  if (/^[0-9]{1,9}$/.test(value)) return Number(value) * 1000
  const date = /GMT$/.test(value) ? Date.parse(value) : Number.NaN
  return Number.isNaN(date) ? null : Math.max(0, date - now)
}
