/**
 * Workers in one workerd, each on a port of its own.
 *
 * wrangler's dev server and miniflare's entry Worker are proxies written in JavaScript, and slower than what is measured here. A
 * direct socket leads straight into a Worker, so every Worker pays the same: nothing. For the same reason static assets are left
 * out: locally they put another Worker in front, in production they are served before ours runs.
 */
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { convertV4MiniflareOptions, Miniflare } from 'miniflare'
import { unstable_getMiniflareWorkerOptions } from 'wrangler'
import { freePort } from '../../scripts/support/claims.ts'
import { bundle, type Module } from './bundle.ts'
import { workerdPids } from './memory.ts'

/** wrangler misses the secrets that only `bindings` have, and would say so. */
process.env.WRANGLER_LOG ??= 'error'

export interface WorkerSpec {
  readonly name: string
  readonly configPath: string
  /** A module in the place of the config's `main`. */
  readonly entry?: string
  /** Variables and secrets, over those of the config. */
  readonly bindings?: Record<string, string>
  /** Changes the code of the main module, whose names are those of the source then. */
  readonly change?: (code: string) => string
  /** What has been built already, the main module first. */
  readonly modules?: readonly Module[]
}

export interface Workerd {
  readonly miniflare: Miniflare
  /** Where what the Workers keep lies on disk. */
  readonly stateDir: string
  urlOf(worker: string): Promise<URL>
  /** Ends the runtime at once, with all Workers in it; resolves when another one runs on what it left on disk. It is the only one here. */
  kill(): Promise<void>
  /** Runs these Workers in the place of those of their names, on the same ports and state; what was in memory is gone. */
  swap(specs: readonly WorkerSpec[]): Promise<void>
  stop(): Promise<void>
}

export interface WorkerdOptions {
  /** Whether the tables of Durable Objects can be looked into, which puts a wrapper around every object. */
  readonly inspect?: boolean
  /** Gets each line that a Worker logs. */
  readonly onLog?: (line: string) => void
  /** What the heap of an isolate may take; the engine's own bound is far above that of production. */
  readonly heapMb?: number
}

export async function startWorkerd(
  specs: readonly WorkerSpec[],
  { inspect = false, onLog, heapMb }: WorkerdOptions = {},
): Promise<Workerd> {
  if (heapMb !== undefined) process.env.MINIFLARE_WORKERD_V8_FLAGS = `--max-heap-size=${heapMb}`
  const dir = await mkdtemp(join(tmpdir(), 'bench-'))
  const stateDir = join(dir, 'state')
  let restarted: () => void = () => undefined
  let workers = await Promise.all(specs.map((spec) => workerOf(spec, dir)))
  const options = {
    port: 0,
    resourcePersistencePath: stateDir,
    unsafeInspectDurableObjects: inspect,
    handleStructuredLogs: ({ message }: { message: string }) => onLog?.(message),
    unsafeHandleRuntimeRestart: () => restarted(),
  }
  const miniflare = new Miniflare(convertV4MiniflareOptions({ ...options, workers }))
  await miniflare.ready
  return {
    miniflare,
    stateDir,
    urlOf: (worker) => miniflare.unsafeGetDirectURL(worker),
    async kill() {
      const runsAgain = new Promise<void>((resolve) => {
        restarted = resolve
      })
      for (const pid of workerdPids()) process.kill(pid, 'SIGKILL')
      await runsAgain
    },
    async swap(others) {
      const swapped = await Promise.all(others.map((spec) => workerOf(spec, dir)))
      workers = workers.map((worker) => {
        const other = swapped.find(({ name }) => name === worker.name)
        return other ? { ...other, unsafeDirectSockets: worker.unsafeDirectSockets } : worker
      })
      await miniflare.setOptions(convertV4MiniflareOptions({ ...options, workers }))
    },
    async stop() {
      await miniflare.dispose()
      await rm(dir, { recursive: true, force: true })
    },
  }
}

async function workerOf({ name, configPath, entry, bindings, change, modules }: WorkerSpec, dir: string) {
  const { workerOptions } = unstable_getMiniflareWorkerOptions(configPath)
  const { modulesRules: _rules, assets: _assets, ...options } = workerOptions
  const out = join(dir, name)
  const built = modules?.map((module) => ({ ...module, path: join(out, module.path) }))
  const code =
    built ?? (await bundle(configPath, out, { ...(entry && { entry }), named: change !== undefined }))
  const configured = options.bindings as Record<string, string> | undefined
  return {
    ...options,
    name,
    modulesRoot: out,
    modules: change ? changed(code, change) : code,
    bindings: { ...configured, ...bindings },
    // Known beforehand, so that it is the same after a restart.
    unsafeDirectSockets: [{ host: '127.0.0.1', port: await freePort() }],
  }
}

const changed = ([main, ...others]: Module[], change: (code: string) => string) =>
  main ? [{ ...main, contents: change(main.contents) }, ...others] : []
