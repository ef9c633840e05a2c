/**
 * Released Workers as they were built for the local run, so that the next version can be tried beside them: a configuration for each,
 * which can be read, and the modules of all three in one file, which is small because they share much.
 */
import { mkdir, readdir, readFile, writeFile } from 'node:fs/promises'
import { basename, join } from 'node:path'
import { promisify } from 'node:util'
import { brotliCompress, brotliDecompress, constants } from 'node:zlib'
import type { Module } from '../../bench/support/bundle.ts'
import { projectRoot, type WorkerName, workerConfigs, workerNames } from '../support/workers.ts'

const folder = join(projectRoot, 'releases')
const MODULES = 'workers.json.br'
/** Wide enough for all three Workers: what the second shares with the first is found. */
const WINDOW_BITS = 24

export interface ReleasedWorker {
  readonly configPath: string
  readonly modules: Module[]
}

export type Bundles = Record<WorkerName, Module[]>

/** Keeps the Workers under the version, with the configurations as they are now. Answers how many bytes the modules take. */
export async function keepRelease(version: string, bundles: Bundles): Promise<number> {
  const to = join(folder, version)
  await mkdir(to, { recursive: true })
  for (const name of workerNames)
    await writeFile(join(to, `${name}.toml`), await readFile(join(projectRoot, workerConfigs[name])))
  const named = Object.fromEntries(workerNames.map((name) => [name, bundles[name].map(withoutFolder)]))
  const packed = await promisify(brotliCompress)(JSON.stringify(named), {
    params: { [constants.BROTLI_PARAM_LGWIN]: WINDOW_BITS },
  })
  await writeFile(join(to, MODULES), packed)
  return packed.length
}

const withoutFolder = (module: Module): Module => ({ ...module, path: basename(module.path) })

export async function readRelease(version: string): Promise<Record<WorkerName, ReleasedWorker>> {
  const packed = await readFile(join(folder, version, MODULES))
  const bundles = JSON.parse((await promisify(brotliDecompress)(packed)).toString()) as Bundles
  const released = (name: WorkerName): ReleasedWorker => ({
    configPath: join(folder, version, `${name}.toml`),
    modules: bundles[name],
  })
  return {
    gateway: released('gateway'),
    consumers: released('consumers'),
    callbacks: released('callbacks'),
  }
}

/** The version that was released last. */
export async function lastRelease(): Promise<string> {
  const versions = (await readdir(folder)).toSorted(byNumbers)
  const last = versions.at(-1)
  if (last === undefined) throw new Error('Nothing has been released.')
  return last
}

const byNumbers = (a: string, b: string) => a.localeCompare(b, 'en', { numeric: true })
