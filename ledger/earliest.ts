/** The first of several moments, in milliseconds since the epoch; those that are null never come. Null when none does. */
export function earliest(times: Iterable<number | null>): number | null {
  const coming = [...times].filter((at) => at !== null)
  return coming.length > 0 ? Math.min(...coming) : null
}
