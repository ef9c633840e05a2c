/** The TypeScript receiver of docs/receiving-webhooks.md, run as customers run it: copied out of the page, in a process of its own. */
import { type ChildProcess, spawn } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { onTestFinished } from 'vitest'
import { until } from './wait.ts'

const root = join(import.meta.dirname, '../..')
const node = join(root, 'node_modules/.bin/node')

export const page = readFileSync(join(root, 'docs/receiving-webhooks.md'), 'utf8')

/** The page's only block of TypeScript. */
const [, sample = ''] = /^```ts\n(.*?)^```$/ms.exec(page) ?? []

export class SampleReceiver {
  readonly #process: ChildProcess
  readonly url: string
  /** What it has printed so far: a line for each event that it worked off. */
  printed = ''
  complaints = ''

  constructor(child: ChildProcess, url: string) {
    this.#process = child
    this.url = url
    child.stdout?.on('data', (text: Buffer) => {
      this.printed += text
    })
    child.stderr?.on('data', (text: Buffer) => {
      this.complaints += text
    })
  }

  /** Null while it runs. */
  get exitCode() {
    return this.#process.exitCode
  }

  async post(body: string, headers: Record<string, string>): Promise<number> {
    return (await fetch(this.url, { method: 'POST', body, headers })).status
  }

  /** Resolves once it answers, if only to refuse what is not signed. */
  async ready(): Promise<this> {
    await until('the sample answers', () => this.post('', {}).catch(() => null))
    return this
  }
}

/** A URL of this machine that nothing listens on. */
export async function freeUrl(): Promise<string> {
  const server = createServer()
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const address = server.address()
  await new Promise((resolve) => server.close(resolve))
  if (address === null || typeof address === 'string') throw new Error('The server had no port.')
  return `http://127.0.0.1:${address.port}/hooks`
}

/** Starts the sample for one spec, with these keys; `clockMs` is the time that it takes for the present, for ever. */
export function startSample(url: string, keys: string, clockMs?: number): SampleReceiver {
  const dir = mkdtempSync(join(tmpdir(), 'sample-'))
  const file = join(dir, 'receiver.ts')
  writeFileSync(file, sample)
  writeFileSync(join(dir, 'package.json'), '{ "type": "module" }')
  const clock = clockMs === undefined ? [] : ['--import', `data:text/javascript,Date.now=()=>${clockMs}`]
  const env = { ...process.env, PORT: new URL(url).port, WEBHOOK_KEYS: keys }
  const child = spawn(node, [...clock, file], { env, stdio: ['ignore', 'pipe', 'pipe'] })
  onTestFinished(() => {
    child.kill('SIGKILL')
    rmSync(dir, { recursive: true, force: true })
  })
  return new SampleReceiver(child, url)
}
