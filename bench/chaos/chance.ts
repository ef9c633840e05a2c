/** Chance that can be had again: from a seed, or from a seed and the name of what it strikes. */

/** 0 up to 1, the same for the same words (FNV-1a with a final mix). */
export function chanceOf(seed: number, ...words: (string | number)[]): number {
  let hash = 0x811c9dc5 ^ seed
  for (const character of words.join('|'))
    hash = Math.imul(hash ^ (character.codePointAt(0) ?? 0), 0x01000193)
  hash = Math.imul(hash ^ (hash >>> 16), 0x85ebca6b)
  hash = Math.imul(hash ^ (hash >>> 13), 0xc2b2ae35)
  return ((hash ^ (hash >>> 16)) >>> 0) / 2 ** 32
}

export interface Chance {
  /** 0 up to 1. */
  next(): number
  happens(probability: number): boolean
  /** A whole number from `low` to `high`. */
  between(low: number, high: number): number
  pick<T>(from: readonly T[]): T
  /** One of the names, by its weight. */
  weighed<N extends string>(weights: Record<N, number>): N
}

export function newChance(seed: number): Chance {
  let count = 0
  const next = () => chanceOf(seed, count++)
  return {
    next,
    happens: (probability) => next() < probability,
    between: (low, high) => low + Math.floor(next() * (high - low + 1)),
    pick: <T>(from: readonly T[]) => from[Math.floor(next() * from.length)] as T,
    weighed: <N extends string>(weights: Record<N, number>) => weighed(weights, next()),
  }
}

function weighed<N extends string>(weights: Record<N, number>, at: number): N {
  const entries = Object.entries(weights) as [N, number][]
  let left = at * entries.reduce((sum, [, weight]) => sum + weight, 0)
  const found = entries.find(([, weight]) => {
    left -= weight
    return left < 0
  })
  return (found ?? (entries.at(-1) as [N, number]))[0]
}
