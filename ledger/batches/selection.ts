/** The lines of a source that a rerun takes. */
import type { Run } from '../schema.ts'
import type { Line, LineGroup } from './lines.ts'

type Lines = AsyncIterable<LineGroup>

/** The lines of these numbers; all where there are none. */
export async function* selected(lines: Lines, runs: readonly Run[] | null): Lines {
  if (!runs) return yield* lines
  let next = 0
  const isTaken = ({ line }: Line) => {
    while (next < runs.length && line >= endOf(runs[next])) next++
    return line >= (runs[next]?.[0] ?? Number.POSITIVE_INFINITY)
  }
  for await (const group of lines) {
    yield group.filter(isTaken)
    if ((group.at(-1)?.line ?? 0) + 1 >= endOf(runs.at(-1))) return
  }
}

const endOf = (run: Run | undefined) => (run ? run[0] + run[1] : 0)
