/** From what was counted to what it costs: pure. */
import { type Counts, priceOf, type Unit, units } from './prices.ts'

/** What an object is allocated, whatever it uses. */
const OBJECT_GB = 0.128

export interface Used {
  readonly counts: Counts
  /** By what was called: how often, and the median of how long the caller waited, in ms. */
  readonly calls: Readonly<Record<string, { readonly times: number; readonly medianMs: number }>>
}

/** After a call a ledger sees to what follows from it, which it puts off by 10 ms so that calls share it. */
const AFTER_A_CALL_MS = 10
/** What an alarm takes, in which nobody waits. */
const ALARM_MS = 20

/**
 * For how long objects were active, in GB-s, at most: calls one after another, whatever of them went on at the same time, and what they
 * sent besides.
 */
export function gbSeconds({ counts, calls }: Used): number {
  const all = Object.entries(calls)
  const toObjects = all.filter(([name]) => / (ledger|gate)\./.test(name))
  const sends = all.filter(([name]) => name === 'gateway sendBatch')
  const timesOf = (some: typeof all) => some.reduce((sum, [, { times }]) => sum + times, 0)
  const msOf = (some: typeof all) => some.reduce((sum, [, { times, medianMs }]) => sum + times * medianMs, 0)
  const alarms = Math.max(0, (counts.object_requests ?? 0) - timesOf(toObjects))
  const activeMs = msOf(toObjects) + timesOf(toObjects) * AFTER_A_CALL_MS + msOf(sends) + alarms * ALARM_MS
  return (activeMs / 1000) * OBJECT_GB
}

/** One after another, of the same thing; `times` each. */
export function sum(parts: readonly { readonly counts: Counts; readonly times: number }[]): Counts {
  const all: Partial<Record<Unit, number>> = {}
  for (const { counts, times } of parts)
    for (const unit of units) all[unit] = (all[unit] ?? 0) + (counts[unit] ?? 0) * times
  return all
}

export interface Line {
  readonly unit: Unit
  /** Of one job or item. */
  readonly each: number
  readonly usdPerMillion: number
}

/** The priced sheet, dearest first. `counts` are of one job or item. */
export const sheetOf = (counts: Counts): Line[] =>
  units
    .map((unit) => ({
      unit,
      each: counts[unit] ?? 0,
      usdPerMillion: priceOf(unit, (counts[unit] ?? 0) * 1e6),
    }))
    .filter(({ each }) => each > 0)
    .sort((a, b) => b.usdPerMillion - a.usdPerMillion)

export const totalOf = (lines: readonly Line[]): number =>
  lines.reduce((total, { usdPerMillion }) => total + usdPerMillion, 0)

/** A table for people. */
export function shown(title: string, lines: readonly Line[]): string {
  const rows = lines.map(({ unit, each, usdPerMillion }) => [
    unit,
    each.toPrecision(3),
    usdPerMillion.toFixed(2),
  ])
  const all = [[title, 'each', 'USD a million'], ...rows, ['total', '', totalOf(lines).toFixed(2)]]
  const widths = [0, 1, 2].map((at) => Math.max(...all.map((row) => row[at]?.length ?? 0)))
  return all
    .map((row) =>
      row
        .map((cell, at) => (at === 0 ? cell.padEnd(widths[at] ?? 0) : cell.padStart(widths[at] ?? 0)))
        .join('  '),
    )
    .join('\n')
}
