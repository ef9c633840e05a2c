/** A guide's samples, run as somebody pastes them: one shell, block by block, in a folder of its own. */
import { spawn } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { inject } from 'vitest'
import type { Block } from '../../../scripts/guides/blocks.ts'
import { freePort } from '../../../scripts/support/claims.ts'
import { BASE_URL } from '../base-url.ts'

const LIMIT_MS = 140_000
const root = join(import.meta.dirname, '../../..')
const bin = join(root, 'node_modules/.bin')

interface Reader {
  readonly tenant: string
  readonly env: Record<string, string>
  /** What lies beside the samples from the beginning, by name. */
  readonly files: Record<string, string>
}

/** What stands in the guides, and what is meant by it here. */
type Meanings = Readonly<Record<'http://localhost:8787' | '3000' | 'acme', string>>

/** Runs the blocks of one guide; gives what each printed, by its line, in the guide's own terms. */
export async function runGuide(blocks: Block[], reader: Reader): Promise<ReadonlyMap<number, string>> {
  const dir = mkdtempSync(join(tmpdir(), 'guide-'))
  const mark = `-- ${randomUUID()} `
  const port = String(await freePort())
  const meanings = { 'http://localhost:8787': BASE_URL, '3000': port, acme: reader.tenant }
  try {
    lay(dir, mark, blocks, reader.files, meanings)
    const { exitCode, out, complaints } = await bash(dir, reader.env)
    const printed = asShown(out, meanings).split(mark).slice(1).map(lineAndText)
    if (exitCode === 0) return new Map(printed)
    throw new Error(
      `It ended (${exitCode}) in the block of line ${printed.at(-1)?.join(':\n')}\n${complaints}`,
    )
  } finally {
    rmSync(dir, { recursive: true, force: true })
  }
}

/** Writes what a reader has there: programs to be saved, and `guide.sh`, all that is to be run. */
function lay(dir: string, mark: string, blocks: Block[], files: Reader['files'], meanings: Meanings): void {
  const meant = (text: string) => text.replaceAll(/\b(?:3000|acme)\b/g, (name) => meanings[name as 'acme'])
  const save = (name: string, text: string) => writeFileSync(join(dir, name), meant(text))
  for (const [name, text] of Object.entries(files)) save(name, text)
  for (const { fate, code } of blocks) if (fate.kind === 'saved') save(fate.as, code)
  laySdk(join(dir, 'node_modules/@async-ai-gateway/sdk'))
  symlinkSync(root, join(dir, 'async-ai-gateway'))
  const run = blocks.filter(({ fate }) => fate.kind === 'run')
  save('guide.sh', run.map(({ line, code }) => `echo; echo '${mark}${line}'\n${code}`).join('\n'))
}

/** Our own sources in the place of the package, which is built of them. */
function laySdk(folder: string): void {
  mkdirSync(folder, { recursive: true })
  writeFileSync(join(folder, 'package.json'), '{ "type": "module", "exports": "./src/index.ts" }')
  symlinkSync(join(root, 'sdk/src'), join(folder, 'src'))
}

const asShown = (out: string, meanings: Meanings) =>
  Object.entries(meanings).reduce((text, [shown, meant]) => text.replaceAll(meant, shown), out)

function lineAndText(part: string): [number, string] {
  const end = part.indexOf('\n')
  return [Number(part.slice(0, end)), part.slice(end + 1)]
}

/** Ends what the samples left running with the shell. A variable without a value, and a command that fails, end it too. */
async function bash(cwd: string, env: Record<string, string>) {
  const child = spawn('bash', ['-eu', 'guide.sh'], {
    cwd,
    detached: true,
    env: {
      ...process.env,
      PATH: `${bin}:${process.env.PATH}`,
      HOME: cwd,
      STATE_DIR: cwd,
      BASE: inject('stack').frontUrl,
      ...env,
    },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  const [out, complaints] = [collect(child.stdout), collect(child.stderr)]
  const end = () => process.kill(-Number(child.pid), 'SIGKILL')
  const timer = setTimeout(end, LIMIT_MS)
  const exitCode = await new Promise<number | null>((resolve, reject) =>
    child.on('exit', resolve).on('error', reject),
  )
  clearTimeout(timer)
  try {
    end()
  } catch {
    // Nothing was left running.
  }
  return { exitCode, out: await out, complaints: await complaints }
}

async function collect(stream: AsyncIterable<Buffer>): Promise<string> {
  let text = ''
  for await (const part of stream) text += part
  return text
}
