/**
 * `npm run bench -- NAME [--json]` runs `bench/NAME.ts` and prints its figures. Exit code 1 when something wanted is missed, 2 for
 * a call that names no benchmark.
 */
import { readdirSync } from 'node:fs'
import { parseArgs } from 'node:util'
import type { Bench } from './support/bench.ts'
import { report } from './support/report.ts'

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

async function main(name: string, json: boolean): Promise<number> {
  const { run } = (await import(`./${name}.ts`)) as { run: Bench }
  return report(name, await run(json ? () => undefined : (text) => console.error(text)), json)
}

const call = readCall()
if (call) process.exitCode = await main(call.name, call.json)
else {
  console.error(`Usage: npm run bench -- NAME [--json]\nBenchmarks: ${names.join(', ')}`)
  process.exitCode = 2
}
