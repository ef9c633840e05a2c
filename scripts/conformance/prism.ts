/** Prism, which passes requests on and says of each exchange what in it is not as a document describes it. */
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { freePort, RunError } from '../support/claims.ts'
import { endWithUs } from '../support/processes.ts'

const home = join(import.meta.dirname, '../..')
const prism = join(
  dirname(createRequire(import.meta.url).resolve('@stoplight/prism-cli/package.json')),
  'dist/index.js',
)
const START_MS = 60_000
const POLL_MS = 100

export interface Prism {
  readonly port: number
  stop(): void
}

/** Starts one for a document of `openapi/`, in front of the gateway. */
export async function startPrism(document: string, gateway: string): Promise<Prism> {
  const port = await freePort()
  const file = join(home, 'openapi', document)
  const options = ['--port', String(port), '--host', '127.0.0.1', '--verboseLevel', 'silent']
  const child = spawn(process.execPath, [prism, 'proxy', file, gateway, ...options], {
    detached: true,
    stdio: 'ignore',
  })
  endWithUs(child)
  await listens(child, port)
  return { port, stop: () => void child.kill('SIGTERM') }
}

async function listens(child: ChildProcess, port: number): Promise<void> {
  const ended = once(child, 'exit').then(() => true)
  for (const until = Date.now() + START_MS; Date.now() < until; ) {
    if (await Promise.race([ended, sleep(POLL_MS, false)])) break
    if (
      await fetch(`http://127.0.0.1:${port}/`).then(
        () => true,
        () => false,
      )
    )
      return
  }
  throw new RunError('Prism does not start.')
}
