/** `npm start`: the local run, until a signal ends it. */
import { callsToPaste } from './support/calls-to-paste.ts'
import { freePort, RunError } from './support/claims.ts'
import { type LocalRun, startLocalRun } from './support/local-run.ts'
import { portFrom, settingsFrom } from './support/settings.ts'
import { abortion, stopSignal } from './support/stopping.ts'

const signal = stopSignal()

process.exit(await main().catch(failed))

async function main(): Promise<number> {
  const stateDir = process.env.STATE_DIR || '.local'
  console.log(`Starting the gateway; state in ${stateDir} …`)
  const port = portFrom(process.env) || (await freePort())
  const settings = settingsFrom(process.env)
  const run = await startLocalRun({ port, stateDir, settings, signal, onError: console.error })
  console.log(callsToPaste(run))
  return untilItEnds(run)
}

async function untilItEnds(run: LocalRun): Promise<number> {
  const lastWords = await Promise.race([run.died, abortion(signal).catch(() => null)])
  await run.stop()
  if (lastWords === null) return 0
  console.error(`The Workers' runtime has ended. The last that it said:\n\n${lastWords}`)
  return 1
}

function failed(error: unknown): number {
  if (signal.aborted && !(error instanceof RunError)) return 0
  console.error(error instanceof RunError ? error.message : error)
  return 1
}
