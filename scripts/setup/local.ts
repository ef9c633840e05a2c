/** Prepares a state directory as `npm start` would, by starting what it starts, on a port that nobody else knows, and ending it again. */
import { freePort } from '../support/claims.ts'
import { startLocalRun } from '../support/local-run.ts'
import { portFrom, settingsFrom } from '../support/settings.ts'
import { stopSignal } from '../support/stopping.ts'

const DEFAULT_STATE_DIR = '.local'

/** Answers what to tell whoever asked for it. */
export async function setUpLocal(environment: NodeJS.ProcessEnv): Promise<string> {
  const stateDir = environment.STATE_DIR || DEFAULT_STATE_DIR
  const publicUrl = `http://localhost:${portFrom(environment)}`
  const run = await startLocalRun({
    port: await freePort(),
    publicUrl,
    stateDir,
    settings: settingsFrom(environment),
    signal: stopSignal(),
    onError: console.error,
  })
  await run.stop()
  const names = run.credentials.tenants.map(({ tenant_id }) => tenant_id).join(', ')
  return `Prepared ${stateDir}: keys, tables, an operator, the tenants ${names}.
Their credentials, for ${publicUrl}: ${stateDir}/credentials.json
npm start runs it.`
}
