/** Counters, and how they add up. Pure: only what is not zero needs to be there. */
import type { Histogram, WorkFigures } from './figures.ts'

/** What is counted of one kind at one model, besides what the columns of `usage_days` hold. */
export type Counts = Omit<
  WorkFigures,
  'kind' | 'model' | 'open' | 'inputTokens' | 'outputTokens' | 'costMicroUsd'
>

type Sparse<T> = T extends readonly unknown[] | number ? T : { readonly [K in keyof T]?: Sparse<T[K]> }
export type SomeCounts = Sparse<Counts>

/** Counters by name, arrays of them, and groups of all these. */
type Sum = number | readonly number[] | { readonly [name: string]: Sum | undefined }

/** Both together, counter by counter. What is in one of them only stays as it is. */
export const added = <T extends object, M extends object>(sum: T, more: M): T & M =>
  addedTo(sum as Sum, more as Sum) as T & M

function addedTo(sum: Sum | undefined, more: Sum | undefined): Sum | undefined {
  if (sum === undefined || more === undefined) return sum ?? more
  if (typeof sum === 'number') return sum + (more as number)
  if (isList(sum)) return sum.map((count, at) => count + ((more as readonly number[])[at] ?? 0))
  const group: Record<string, Sum | undefined> = { ...sum }
  for (const [name, count] of Object.entries(more)) group[name] = addedTo(group[name], count)
  return group
}

const isList = (sum: Sum): sum is readonly number[] => Array.isArray(sum)

/** A histogram of one observation; a time below nothing, as between two clocks, is nothing. */
export function observed(bounds: readonly number[], ms: number): Histogram {
  const sumMs = Math.max(0, ms)
  const found = bounds.findIndex((bound) => sumMs <= bound * 1000)
  const buckets = new Array<number>(bounds.length + 1).fill(0)
  buckets[found === -1 ? bounds.length : found] = 1
  return { buckets, sumMs }
}

/** A histogram of nothing. */
export const unobserved = (bounds: readonly number[]): Histogram => ({
  buckets: new Array<number>(bounds.length + 1).fill(0),
  sumMs: 0,
})
