/** Checks of a report, and how they are told: in our own words, with a few references of the customer's. Pure. */
import type { batchChunks, ReportCheck, Unaffordable } from '../schema.ts'

/** How it is said of one and of many. */
export type Noun = readonly [one: string, many: string]

/** Passes where nothing was found. */
export const none = (name: string, count: number, [one, many]: Noun): ReportCheck => ({
  name,
  passed: count === 0,
  detail: count === 0 ? null : `${count} ${count === 1 ? one : many}.`,
})

const NAMED = 5

/** Passes where no item was found; names the first of those that are known by name. */
export function noneOf(
  name: string,
  count: number,
  references: readonly string[],
  fault: string,
): ReportCheck {
  const which = whichOf(count, references.slice(0, NAMED))
  return none(name, count, [`item ${fault}${which}`, `items ${fault}${which}`])
}

function whichOf(count: number, named: readonly string[]): string {
  if (named.length === 0) return ''
  return `: ${named.join(', ')}${count > named.length ? ' and others' : ''}`
}

export const tooDear: Record<Unaffordable, string> = {
  max_cost: 'The estimated cost of the batch is above max_cost_usd.',
  budget: "The estimate does not fit into what is left of the tenant's budget.",
}

/** Passes where the batch was not refused for its price. */
export const withinBudget = (unaffordable: Unaffordable | null): ReportCheck => ({
  name: 'within_budget',
  passed: unaffordable === null,
  detail: unaffordable && tooDear[unaffordable],
})

type Counted = Pick<
  typeof batchChunks.$inferSelect,
  'items' | 'statuses' | 'succeeded' | 'failed' | 'cancelled' | 'expired'
>

/** Passes where every item has one end, and every chunk's counters say what the states of its items say. */
export function countsAddUp(items: number, chunks: readonly Counted[]): ReportCheck {
  const ended = chunks.reduce((sum, chunk) => sum + endedOf(chunk), 0)
  const disagreeing = chunks.filter((chunk) => !agrees(chunk)).length
  const faults = [
    ...(ended === items ? [] : [`${ended} of ${items} items have ended.`]),
    ...(disagreeing === 0 ? [] : [`Chunks whose counters and items disagree: ${disagreeing}.`]),
  ]
  return { name: 'counts_add_up', passed: faults.length === 0, detail: faults.join(' ') || null }
}

const endedOf = ({ succeeded, failed, cancelled, expired }: Counted) =>
  succeeded + failed + cancelled + expired

function agrees({ items, statuses, ...counters }: Counted): boolean {
  const count = (status: string) => statuses.split(status).length - 1
  return (
    statuses.length === items &&
    count('s') === counters.succeeded &&
    count('f') === counters.failed &&
    count('c') === counters.cancelled &&
    count('e') === counters.expired
  )
}
