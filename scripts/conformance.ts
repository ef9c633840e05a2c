/** `npm run conformance`: the demo's walk, led through Prism, which holds each exchange against the documents; none may differ. */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type Exchange, Front } from './conformance/front.ts'
import { startPrism } from './conformance/prism.ts'
import { walk } from './demo/walk.ts'
import { freePort } from './support/claims.ts'
import { startLocalRun } from './support/local-run.ts'
import { abortion, stopSignal } from './support/stopping.ts'

const signal = stopSignal()
const stateDir = mkdtempSync(join(tmpdir(), 'gateway-conformance-'))
const code = await main().catch(failed)
rmSync(stateDir, { recursive: true, force: true })
process.exit(code)

async function main(): Promise<number> {
  const [port, publicPort] = [await freePort(), await freePort()]
  const gateway = `http://localhost:${port}`
  const publicUrl = `http://localhost:${publicPort}`
  const prisms = await Promise.all(['openapi.json', 'ops.json'].map((one) => startPrism(one, gateway)))
  const [tenants = 0, operators = 0] = prisms.map((prism) => prism.port)
  const front = new Front((path) => {
    if (path.startsWith('/v1/')) return { port: tenants, judged: true }
    return path.startsWith('/ops/v1/') ? { port: operators, judged: true } : { port, judged: false }
  })
  await front.listen(publicPort)
  const settings = { ALLOW_LOOPBACK_WEBHOOKS: '1' }
  const run = await startLocalRun({ port, publicUrl, stateDir, settings, signal, onError: console.error })
  try {
    await Promise.race([walk(run.credentials), abortion(signal)])
  } finally {
    await run.stop()
    front.close()
    for (const prism of prisms) prism.stop()
  }
  return report(front.exchanges)
}

function report(exchanges: readonly Exchange[]): number {
  const wrong = exchanges.filter(({ violations }) => violations.length > 0)
  for (const { method, path, status, violations } of wrong)
    for (const { location = [], message } of violations)
      console.log(`${method} ${path} (${status}): ${location.join('.')} ${message}`)
  const count = wrong.reduce((sum, { violations }) => sum + violations.length, 0)
  const lines = exchanges.filter(({ isLines }) => isLines).length
  console.log(`\n${exchanges.length} requests, ${count} violations`)
  console.log(`Not judged: the lines of ${lines} answers in NDJSON, each of which is one text to Prism.`)
  return count === 0 && exchanges.length > 0 ? 0 : 1
}

function failed(error: unknown): number {
  console.error(error instanceof Error ? error.message : error)
  return 1
}
