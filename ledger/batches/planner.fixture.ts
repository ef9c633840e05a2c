/** Items as the planner of chunks sees them, and what it makes of them. */
import type { PlannedChunk } from './plan.ts'
import { ChunkPlanner, type PlannedItem } from './planner.ts'

export const MEBIBYTE = 1024 * 1024

export const item = (rest: Partial<PlannedItem> = {}): PlannedItem => ({
  bytes: 10,
  confidentiality: 'internal',
  retentionSeconds: 60,
  inputTokens: 3,
  estimateMicroUsd: 7,
  hasFiles: false,
  answerBytes: 0,
  ...rest,
})

export function planned(
  limits: ConstructorParameters<typeof ChunkPlanner>[0],
  items: readonly PlannedItem[],
) {
  const planner = new ChunkPlanner(limits)
  const numbers = items.map((one) => planner.add(one))
  return { numbers, chunks: planner.end() }
}

/** Of the items of a chunk, in its order. */
export const indexesOf = ({ runs }: PlannedChunk) =>
  runs.flatMap(([first, count]) => Array.from({ length: count }, (_, at) => first + at))

export const items = (count: number, rest: Partial<PlannedItem> = {}) =>
  Array.from({ length: count }, () => item(rest))
