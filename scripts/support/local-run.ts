/** One local run: what is missing is prepared, the Workers and their clock start, the demo tenants are there; and all of it ends again. */
import { once } from 'node:events'
import { lock, RunError, refuseDevVars, requireFreePort } from './claims.ts'
import { ensureTenants, type TenantCredentials } from './demo-tenants.ts'
import { becomesReady, frontLost } from './front.ts'
import { type ClientCredentials, type KeptSecrets, loadSecrets } from './kept-secrets.ts'
import { endProcesses } from './processes.ts'
import { clearTemp, openStateDir, type StateDir, writeJson } from './state-dir.ts'
import { abortion } from './stopping.ts'
import { prepareDirectory, startClock, startWrangler, workerFolders } from './wrangler.ts'
import { followErrors, lastLines } from './wrangler-log.ts'

export interface LocalRunOptions {
  readonly port: number
  readonly stateDir: string
  /** Where clients reach the run, if something stands in front of it. */
  readonly publicUrl?: string
  /** Variables by the names that the Workers' configurations declare. */
  readonly settings: Record<string, string>
  /** Breaks off the start; a run that has started is ended with `stop`. */
  readonly signal: AbortSignal
  /** Takes each line in which wrangler or the clock reports an error. */
  readonly onError: (line: string) => void
}

/** The file `credentials.json`. */
export interface Credentials {
  readonly base_url: string
  readonly tenants: readonly TenantCredentials[]
  readonly operator: ClientCredentials
  /** The issuer's private JWK. */
  readonly signing_key: Record<string, string>
}

export interface LocalRun {
  readonly state: StateDir
  readonly credentials: Credentials
  /** Resolves when wrangler ends by itself or is of no use any more, with the last that it said; empty where it was stopped. */
  readonly died: Promise<string>
  stop(): Promise<void>
}

export async function startLocalRun(options: LocalRunOptions): Promise<LocalRun> {
  const state = openStateDir(options.stateDir)
  const unlock = await lock(state, options.signal)
  const ending = new AbortController()
  const stop = async () => {
    ending.abort()
    await endProcesses(state.root)
    unlock()
  }
  try {
    writeJson(state.run, { pid: process.pid, base_url: baseUrlOf(options) })
    await endProcesses(state.root)
    const started = await Promise.race([start(state, options, ending.signal), abortion(options.signal)])
    runClock(state, options, ending.signal)
    return { ...started, state, stop }
  } catch (error) {
    await stop()
    throw error
  }
}

/** No cron fires once the Workers are about to end. */
function runClock(state: StateDir, { onError }: LocalRunOptions, ending: AbortSignal): void {
  const clock = startClock(state)
  ending.addEventListener('abort', () => clock.kill())
  clock.once('exit', () => {
    if (!ending.aborted) onError(`The clock has ended: no cron fires any more. ${state.log} may say why.`)
  })
}

const baseUrlOf = ({ port }: { port: number }) => `http://localhost:${port}`

async function start(state: StateDir, options: LocalRunOptions, ending: AbortSignal) {
  await requireFreePort(options.port)
  refuseDevVars(workerFolders)
  clearTemp(state)
  const secrets = await loadSecrets(state)
  options.signal.throwIfAborted()
  await prepareDirectory(state)
  options.signal.throwIfAborted()
  return startWorkers(state, secrets, options, ending)
}

async function startWorkers(
  state: StateDir,
  secrets: KeptSecrets,
  { port, publicUrl = baseUrlOf({ port }), settings, onError }: LocalRunOptions,
  ending: AbortSignal,
) {
  const baseUrl = baseUrlOf({ port })
  const variables = { ...settings, PUBLIC_BASE_URL: publicUrl }
  const wrangler = startWrangler(state, { port, secrets, settings: variables })
  writeJson(state.run, { pid: process.pid, wrangler: wrangler.pid, base_url: baseUrl })
  followErrors(state, onError, ending)
  const ended = once(wrangler, 'exit').then(() => false)
  if (!(await Promise.race([becomesReady(baseUrl), ended])))
    throw new RunError(`The Workers did not start. The last that wrangler said:\n\n${lastLines(state)}`)
  const tenants = await ensureTenants(state, baseUrl, secrets)
  const credentials = publish(state, publicUrl, tenants, secrets)
  // Once it is stopped on purpose its log may be gone, and nobody asks any more.
  const died = Promise.race([ended, frontLost(state.root, baseUrl)]).then(() =>
    ending.aborted ? '' : lastLines(state),
  )
  return { died, credentials }
}

function publish(
  state: StateDir,
  publicUrl: string,
  tenants: readonly TenantCredentials[],
  { operator, signingKey }: KeptSecrets,
): Credentials {
  const credentials: Credentials = {
    base_url: publicUrl,
    tenants,
    operator: { client_id: operator.clientId, client_secret: operator.clientSecret },
    signing_key: signingKey,
  }
  writeJson(state.credentials, credentials)
  return credentials
}
