/** The Workers of the last release and those of the sources, in any mixture, in a runtime of their own and on the same state. */
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { bundle } from '../../bench/support/bundle.ts'
import { Caller, gatewaySpecs, newTenant, prepareDirectory } from '../../bench/support/gateway.ts'
import { startWorkerd, type WorkerSpec } from '../../bench/support/workerd.ts'
import {
  lastRelease,
  type Release,
  type ReleasedWorker,
  readRelease,
} from '../../scripts/releases/release.ts'
import {
  projectRoot as root,
  type WorkerName,
  workerConfigs,
  workerNames,
} from '../../scripts/support/workers.ts'

export type Version = 'old' | 'new'
/** Which version of each Worker runs: of gateway, consumers, callbacks. */
export type Mixture = readonly [gateway: Version, consumers: Version, callbacks: Version]

/** What a runtime loses when it is swapped is missed soon. */
const settings = {
  ALLOW_LOOPBACK_WEBHOOKS: '1',
  LEASE_SECONDS: '3',
  RETRY_BASE_MS: '100',
  RETRY_CAP_MS: '500',
  SWEEP_SECONDS: '2',
  BATCH_POLL_MS: '100',
  BATCH_POLL_CAP_MS: '1000',
  BATCH_STALLED_SECONDS: '60',
  BATCH_GRACE_SECONDS: '9',
  // Longer than the slowest model, and so is three quarters of the grace.
  RUN_TIMEOUT_SECONDS: '6',
  GATE_PAUSE_MS: '50',
  EMBEDDED_BATCH_MS: '500',
  PROVIDERS: 'embedded,test',
}

type Built = Record<WorkerName, ReleasedWorker>

async function buildNew(): Promise<Built> {
  const out = await mkdtemp(join(tmpdir(), 'new-'))
  const built = workerNames.map(async (name) => {
    const configPath = join(root, workerConfigs[name])
    const modules = await bundle(configPath, join(out, name))
    const named = modules.map((module) => ({
      ...module,
      path: module.path.slice(join(out, name).length + 1),
    }))
    return [name, { configPath, modules: named }] as const
  })
  const workers = Object.fromEntries(await Promise.all(built)) as Built
  await rm(out, { recursive: true })
  return workers
}

export type Versions = Record<Version, Built>

export const lastReleased = async (): Promise<Release> => readRelease(await lastRelease())

export const buildVersions = async ({ workers }: Release): Promise<Versions> => ({
  old: workers,
  new: await buildNew(),
})

export interface MixedStack {
  readonly operator: Caller
  newTenant(id: string): Promise<Caller>
  /** Runs this mixture from now on. What was under way in the Workers is broken off, as by a deployment that takes no regard. */
  become(mixture: Mixture): Promise<void>
  stop(): Promise<void>
}

export async function startMixedStack(versions: Versions, first: Mixture): Promise<MixedStack> {
  const all = await gatewaySpecs(settings)
  const specsOf = (mixture: Mixture) => all.map((spec, nth) => specOf(spec, versions, mixture[nth] ?? 'new'))
  const workerd = await startWorkerd(specsOf(first))
  const operator = await Caller.signIn(await workerd.urlOf('gateway'), await prepareDirectory(workerd))
  return {
    operator,
    newTenant: (id) => newTenant(operator, id, { test_models: true }),
    become: (mixture) => workerd.swap(specsOf(mixture)),
    stop: () => workerd.stop(),
  }
}

const specOf = (spec: WorkerSpec, versions: Versions, version: Version): WorkerSpec => ({
  ...spec,
  ...versions[version][spec.name as WorkerName],
})
