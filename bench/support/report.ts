/** How a run's figures are told: a table for people, one line of JSON for programs. */
import { missedIn, type Outcome, wantedText } from './bench.ts'

/** Prints the outcome of the run called `name`; answers the exit code, 1 when something wanted is missed. */
export function report(name: string, outcome: Outcome, json: boolean): number {
  const missed = missedIn(outcome)
  const figures = mapped(outcome.figures, (figure) => Number(figure.toFixed(3)))
  const wanted = mapped(outcome.wanted, wantedText)
  console.log(json ? JSON.stringify({ bench: name, figures, wanted, missed }) : `\n${table(outcome, missed)}`)
  return missed.length > 0 ? 1 : 0
}

function table({ figures, wanted }: Outcome, missed: string[]): string {
  const rows = Object.entries(figures).map(([name, figure]) => {
    const want = wanted[name]
    return [name, shown(figure), want ? wantedText(want) : '', missed.includes(name) ? 'MISSED' : '']
  })
  const all = [['figure', 'value', 'wanted', ''], ...rows]
  const widths = [0, 1, 2, 3].map((at) => Math.max(...all.map((row) => row[at]?.length ?? 0)))
  const line = (row: string[]) =>
    row
      .map((cell, at) => (at === 1 ? cell.padStart(widths[at] ?? 0) : cell.padEnd(widths[at] ?? 0)))
      .join('  ')
  return all.map((row) => line(row).trimEnd()).join('\n')
}

const mapped = <T, U>(record: Record<string, T>, change: (value: T) => U): Record<string, U> =>
  Object.fromEntries(Object.entries(record).map(([name, value]) => [name, change(value)]))

const shown = (figure: number) => (Number.isInteger(figure) ? String(figure) : figure.toFixed(2))
