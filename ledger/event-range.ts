/** Finding events by time without an index of it: their numbers grow with time, so a binary search over the primary key does. */
import { asc, gte, max, min } from 'drizzle-orm'
import { events } from './schema.ts'
import { arg, type Db, statement } from './store.ts'

export interface NumberedMoment {
  readonly sequence: number
  readonly createdAt: number
}

/** Event numbers from `from` up to, and without, `to`. */
export interface EventRange {
  readonly from: number
  readonly to: number
}

/**
 * The smallest number from which on events are of `at` or later; `to` if there is none. `next` gives the first event that has this
 * number or a higher one, since numbers may be missing.
 */
export function firstNumberAt(
  { from, to }: EventRange,
  at: number,
  next: (sequence: number) => NumberedMoment | undefined,
): number {
  let [low, high] = [from, to]
  while (low < high) {
    const middle = Math.floor((low + high) / 2)
    const event = next(middle)
    if (event === undefined || event.createdAt >= at) high = middle
    else low = event.sequence + 1
  }
  return low
}

const selectEnds = statement((db) =>
  db
    .select({ first: min(events.sequence), last: max(events.sequence) })
    .from(events)
    .prepare(),
)
const selectNext = statement((db) =>
  db
    .select({ sequence: events.sequence, createdAt: events.createdAt })
    .from(events)
    .where(gte(events.sequence, arg('sequence')))
    .orderBy(asc(events.sequence))
    .limit(1)
    .prepare(),
)

/** The events from `since` to `until`, both included; milliseconds since the epoch. */
export function eventsBetween(db: Db, since: number, until: number): EventRange {
  const { first, last } = selectEnds(db).get() ?? {}
  const all = { from: first ?? 0, to: (last ?? -1) + 1 }
  const next = (sequence: number) => selectNext(db).get({ sequence })
  return { from: firstNumberAt(all, since, next), to: firstNumberAt(all, until + 1, next) }
}
