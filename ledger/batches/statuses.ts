/** What became of a chunk's items, one character for each. Pure. */
import type { ItemStatus } from '../../openapi/batch-states.ts'
import type { Run } from '../schema.ts'

export const PENDING = 'p'
/** What a pending item can become. */
export type Ended = 's' | 'f' | 'c' | 'e'

const names: Record<string, ItemStatus> = {
  p: 'pending',
  s: 'succeeded',
  f: 'failed',
  c: 'cancelled',
  e: 'expired',
}

export const statusAt = (statuses: string, position: number): ItemStatus =>
  names[statuses.charAt(position)] ?? 'pending'

export interface EndedCounts {
  readonly succeeded: number
  readonly failed: number
  readonly cancelled: number
  readonly expired: number
}

/** How many items have ended, and how. */
export function countEnded(statuses: string): EndedCounts {
  const counts = { succeeded: 0, failed: 0, cancelled: 0, expired: 0, pending: 0 }
  for (let at = 0; at < statuses.length; at++) counts[statusAt(statuses, at)]++
  const { pending: _, ...ended } = counts
  return ended
}

/** What has ended stays as it is; everything pending ends like this. */
export const endPending = (statuses: string, how: Ended) => statuses.replaceAll(PENDING, how)

/** What has ended stays as it is; a pending item becomes what `answered` says of its place. */
export const takeAnswers = (statuses: string, answered: string) =>
  Array.from(statuses, (status, at) => (status === PENDING ? (answered[at] ?? PENDING) : status)).join('')

/** One item ends; null where it has ended already. */
export const endOne = (statuses: string, position: number, how: Ended): string | null =>
  statuses[position] === PENDING
    ? `${statuses.slice(0, position)}${how}${statuses.slice(position + 1)}`
    : null

/** Places of the items that are pending. */
export const pendingPlaces = (statuses: string): number[] =>
  Array.from(statuses).flatMap((status, at) => (status === PENDING ? [at] : []))

/** The numbers of these runs, in order. */
export const numbersOf = (runs: readonly Run[]): number[] =>
  runs.flatMap(([first, count]) => Array.from({ length: count }, (_, at) => first + at))

/** Runs of these numbers, which ascend. */
export function runsOf(numbers: readonly number[]): Run[] {
  const runs: [number, number][] = []
  for (const number of numbers) {
    const last = runs.at(-1)
    if (last && last[0] + last[1] === number) last[1]++
    else runs.push([number, 1])
  }
  return runs
}

/** The place of a number among those of the runs; null where it is in none of them. */
export function placeIn(runs: readonly Run[], number: number): number | null {
  let before = 0
  for (const [first, count] of runs) {
    if (number >= first && number < first + count) return before + number - first
    before += count
  }
  return null
}
