/** What many figures come to. Pure. */

/** Null of none. */
export const mean = (values: readonly number[]): number | null =>
  values.length > 0 ? values.reduce((sum, value) => sum + value, 0) / values.length : null

/** The smallest of the values that at least `share` of them do not exceed; null of none. */
export function percentile(values: readonly number[], share: number): number | null {
  const sorted = values.toSorted((a, b) => a - b)
  return sorted[Math.max(0, Math.ceil(share * sorted.length) - 1)] ?? null
}

const DECIMALS = 6

/** As figures are shown. */
export const rounded = (value: number) => Number(value.toFixed(DECIMALS))
