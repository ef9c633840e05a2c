/**
 * `npm run bench -- NAME [--json]` runs `bench/NAME.ts` and prints its figures. Exit code 1 when something wanted is missed, 2 for
 * a call that names no benchmark.
 */
import { readdirSync } from 'node:fs'
import { parseArgs } from 'node:util'
import { type Bench, missedIn, type Outcome, wantedText } from './support/bench.ts'

const names = readdirSync(import.meta.dirname)
  .filter((file) => file.endsWith('.ts') && file !== 'run.ts')
  .map((file) => file.slice(0, -'.ts'.length))

function readCall(): { name: string; json: boolean } | null {
  try {
    const { values, positionals } = parseArgs({
      options: { json: { type: 'boolean' } },
      allowPositionals: true,
    })
    const [name, ...more] = positionals
    return name && names.includes(name) && more.length === 0 ? { name, json: values.json === true } : null
  } catch {
    return null
  }
}

function table({ figures, wanted }: Outcome, missed: string[]): string {
  const rows = Object.entries(figures).map(([name, figure]) => {
    const want = wanted[name]
    return [name, figure.toFixed(2), want ? wantedText(want) : '', missed.includes(name) ? 'MISSED' : '']
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

async function main(name: string, json: boolean): Promise<number> {
  const { run } = (await import(`./${name}.ts`)) as { run: Bench }
  const outcome = await run(json ? () => undefined : (text) => console.error(text))
  const missed = missedIn(outcome)
  const figures = mapped(outcome.figures, (figure) => Number(figure.toFixed(3)))
  const wanted = mapped(outcome.wanted, wantedText)
  console.log(json ? JSON.stringify({ bench: name, figures, wanted, missed }) : `\n${table(outcome, missed)}`)
  return missed.length > 0 ? 1 : 0
}

const call = readCall()
if (call) process.exitCode = await main(call.name, call.json)
else {
  console.error(`Usage: npm run bench -- NAME [--json]\nBenchmarks: ${names.join(', ')}`)
  process.exitCode = 2
}
