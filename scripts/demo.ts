/** `npm run demo`: a walk through the product on real text, in which every claim is checked. Everything it starts, it ends. */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { GatewayError } from '../sdk/src/index.ts'
import { NotAsClaimed } from './demo/claim.ts'
import { stepsTold } from './demo/narrator.ts'
import { walk } from './demo/walk.ts'
import { freePort, RunError } from './support/claims.ts'
import { startLocalRun } from './support/local-run.ts'
import { abortion, stopSignal } from './support/stopping.ts'

const signal = stopSignal()
const stateDir = mkdtempSync(join(tmpdir(), 'gateway-demo-'))
const code = await main().catch(failed)
rmSync(stateDir, { recursive: true, force: true })
process.exit(code)

async function main(): Promise<number> {
  const started = performance.now()
  const elapsed = () => ((performance.now() - started) / 1000).toFixed(1)
  console.log('An asynchronous AI gateway, from the outside. Starting its three Workers …')
  const settings = { ALLOW_LOOPBACK_WEBHOOKS: '1' }
  const port = await freePort()
  const run = await startLocalRun({ port, stateDir, settings, signal, onError: console.error })
  try {
    console.log(
      `Ready at ${run.credentials.base_url} after ${elapsed()} s, with the tenants acme and globex.`,
    )
    await Promise.race([walk(run.credentials), run.died.then(fell), abortion(signal)])
  } finally {
    await run.stop()
  }
  console.log(
    `\nDone in ${elapsed()} s: ${stepsTold()} steps, all as claimed, and everything has ended again.`,
  )
  return 0
}

function fell(lastWords: string): never {
  throw new RunError(`The Workers' runtime has ended. The last that it said:\n\n${lastWords}`)
}

function failed(error: unknown): number {
  const plain = [NotAsClaimed, RunError, GatewayError].some((known) => error instanceof known)
  if (signal.aborted) console.error('\nBroken off.')
  else console.error(plain ? `\n${(error as Error).message}` : error)
  return 1
}
