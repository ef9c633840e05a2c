/**
 * `npm run sdk`: generates what the SDK makes of openapi/openapi.json, then builds the package; with `--check`, fails when the
 * committed code has drifted.
 */
import { execFileSync } from 'node:child_process'
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, relative } from 'node:path'
import '../openapi/tools/older-typescript.mjs'

const GENERATED = 'sdk/src/generated'
const check = process.argv.includes('--check')

/** After the hook by which it finds a TypeScript whose compiler it can use. */
const { createClient } = await import('@hey-api/openapi-ts')

if (!check) await generate(GENERATED)
else if (await hasDrifted()) {
  console.error(`${GENERATED} is not what openapi/openapi.json describes: run npm run sdk.`)
  process.exitCode = 1
}
build()

async function generate(path: string): Promise<void> {
  await createClient({
    input: './openapi/openapi.json',
    logs: { level: 'silent', file: false },
    output: { path, module: { extension: '.ts' }, tsConfigPath: null },
    plugins: [
      '@hey-api/typescript',
      // Every call names its client: there is no address that would be right for all.
      { name: '@hey-api/sdk', client: false },
      { name: '@hey-api/client-fetch', baseUrl: false, throwOnError: true },
    ],
  })
  for (const name of filesIn(path)) if (/^(client|core)\//.test(name)) leaveUnchecked(join(path, name))
}

/** The client that the generator brings along is not written for `exactOptionalPropertyTypes`. Its makers' notes stay with them. */
function leaveUnchecked(file: string): void {
  const code = readFileSync(file, 'utf8').replaceAll(/^ *\/\/ .*\n/gm, '')
  writeFileSync(file, `// @ts-nocheck\n${code}`)
}

function filesIn(folder: string): string[] {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => relative(folder, join(entry.parentPath, entry.name)))
    .sort()
}

async function hasDrifted(): Promise<boolean> {
  const fresh = mkdtempSync(join(tmpdir(), 'gateway-sdk-'))
  try {
    await generate(fresh)
    const [names, committed] = [filesIn(fresh), filesIn(GENERATED)]
    return names.join() !== committed.join() || names.some((name) => differs(name, fresh))
  } finally {
    rmSync(fresh, { recursive: true })
  }
}

function differs(name: string, fresh: string): boolean {
  return !readFileSync(join(fresh, name)).equals(readFileSync(join(GENERATED, name)))
}

function build(): void {
  rmSync('sdk/dist', { recursive: true, force: true })
  execFileSync('node_modules/.bin/tsc', ['-p', 'sdk/tsconfig.build.json'], { stdio: 'inherit' })
}
