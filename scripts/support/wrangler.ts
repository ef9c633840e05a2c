/**
 * The three Workers as one `wrangler dev`, and the clock beside it. Settings and secrets reach all three through the environment only, which therefore
 * holds nothing else of the caller's: no account, no proxy, no home directory.
 */
import { type ChildProcess, execFile, spawn } from 'node:child_process'
import { closeSync, openSync } from 'node:fs'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import { promisify } from 'node:util'
import { RunError } from './claims.ts'
import type { KeptSecrets } from './kept-secrets.ts'
import { endWithUs, mark } from './processes.ts'
import type { StateDir } from './state-dir.ts'
import { projectRoot, workerConfigs, workerNames } from './workers.ts'
import { emptyLog } from './wrangler-log.ts'

export const workerFolders: readonly string[] = workerNames.map((name) =>
  join(projectRoot, dirname(workerConfigs[name])),
)

const wrangler = join(
  dirname(createRequire(import.meta.url).resolve('wrangler/package.json')),
  'bin/wrangler.js',
)
const prepareScript = join(import.meta.dirname, 'prepare-directory.ts')
const clockScript = join(import.meta.dirname, 'clock.ts')

/** Without a terminal wrangler asks nothing; the rest keeps it off the network and inside the state directory. */
function environment({ root, temp, registry }: StateDir): Record<string, string> {
  return {
    PATH: process.env.PATH ?? '',
    HOME: temp,
    TMPDIR: temp,
    XDG_CONFIG_HOME: temp,
    CI: 'true',
    FORCE_COLOR: '0',
    CLOUDFLARE_CF_FETCH_ENABLED: 'false',
    WRANGLER_CACHE_DIR: join(temp, 'cache'),
    WRANGLER_REGISTRY_PATH: registry,
    WRANGLER_SEND_METRICS: 'false',
    WRANGLER_WRITE_LOGS: 'false',
    X_LOCAL_EXPLORER: 'false',
    X_LOCAL_OBSERVABILITY: 'false',
    ...mark(root),
  }
}

/** The Workers' generated types claim that every process has all of their variables. */
const asEnv = (variables: Record<string, string>) => variables as NodeJS.ProcessEnv

export async function prepareDirectory(state: StateDir): Promise<void> {
  const options = { cwd: projectRoot, env: asEnv(environment(state)) }
  await promisify(execFile)(process.execPath, [prepareScript, state.root], options).catch(({ stderr }) => {
    throw new RunError(`The directory database could not be prepared:\n\n${stderr}`)
  })
}

export interface DevOptions {
  readonly port: number
  /** Variables by the names that the configurations declare. */
  readonly settings: Record<string, string>
  readonly secrets: KeptSecrets
}

/** Secrets that a run can do without; wrangler would warn of each. */
const noKeys = { OPENAI_API_KEY: '' }

export function startWrangler(state: StateDir, { port, settings, secrets }: DevOptions): ChildProcess {
  const configs = workerNames.flatMap((name) => ['-c', workerConfigs[name]])
  const where = ['--port', String(port), '--inspector-port', '0', '--persist-to', state.data]
  const { SIGNING_KEYS, KEY_ENCRYPTION_KEYS } = secrets
  emptyLog(state)
  return startBeside(state, [wrangler, 'dev', ...configs, ...where], {
    ...noKeys,
    ...settings,
    ...environment(state),
    SIGNING_KEYS,
    KEY_ENCRYPTION_KEYS,
  })
}

/** Fires the crons of the Workers that `startWrangler` has started. */
export const startClock = (state: StateDir): ChildProcess =>
  startBeside(state, [clockScript, state.root], environment(state))

/** In a process group of its own, so that Ctrl-C at the terminal reaches only the one who ends it in order. */
function startBeside(state: StateDir, args: string[], env: Record<string, string>): ChildProcess {
  const log = openSync(state.log, 'a')
  const options = { cwd: projectRoot, detached: true, env: asEnv(env) }
  const child = spawn(process.execPath, args, { ...options, stdio: ['ignore', log, log] })
  closeSync(log)
  endWithUs(child)
  return child
}
