/** `npm run openapi:check`: holds the documents against linters, parsers, generators and the last release. */
import type { Check, Finding } from './findings.ts'
import { compiling, emptyGenerated, generating } from './generators.ts'
import { linting } from './linters.ts'
import { parsing } from './parsers.ts'
import { releasing } from './release.ts'

const AT_ONCE = 2
const MOST_PLACES = 3

/** One line for each thing that is wrong, however many places it is wrong in. */
function linesFor(found: readonly Finding[]): string[] {
  const groups = Object.values(Object.groupBy(found, ({ tool, message }) => `${tool} ${message}`))
  return groups.flatMap((group = []) => {
    const [{ tool, message } = { tool: '', message: '' }] = group
    const places = group
      .slice(0, MOST_PLACES)
      .map(({ file, place }) => `         openapi/${file} ${place}`.trimEnd())
    const more = group.length > MOST_PLACES ? [`         and ${group.length - MOST_PLACES} more places`] : []
    return [`       [${tool}] ${message.replaceAll('\n', '\n       ')}`, ...places, ...more]
  })
}

async function run({ name, run: check }: Check): Promise<boolean> {
  const start = performance.now()
  const found = await check()
  const seconds = ((performance.now() - start) / 1000).toFixed(1).padStart(5)
  console.log(
    [`${found.length === 0 ? 'ok  ' : 'FAIL'} ${seconds} s  ${name}`, ...linesFor(found)].join('\n'),
  )
  return found.length === 0
}

/** Runs all, a few at a time, and tells whether each passed. */
async function runAll(checks: readonly Check[]): Promise<boolean> {
  const waiting = checks.values()
  const worker = async () => {
    let passed = true
    for (const check of waiting) passed = (await run(check)) && passed
    return passed
  }
  return (await Promise.all(Array.from({ length: AT_ONCE }, worker))).every(Boolean)
}

await emptyGenerated()
const described = await runAll([...linting, ...parsing, ...releasing])
const generatedAll = await runAll(generating)
if (!generatedAll) console.log('FAIL     -    nothing was compiled, for not everything could be generated')
const compiled = generatedAll && (await run(compiling))

if (!(described && compiled)) {
  console.error('\nThe documents do not hold. What is in them comes from openapi/*.ts, by `npm run openapi`.')
  process.exitCode = 1
}
