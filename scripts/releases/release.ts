/**
 * Released Workers as they were built for the local run, so that the next version can be tried beside them: a configuration for each,
 * the directory's tables, and the modules of all three in one file, which is small because they share much.
 */
import { cp, mkdir, readdir, readFile, writeFile } from 'node:fs/promises'
import { basename, join } from 'node:path'
import { promisify } from 'node:util'
import { brotliCompress, brotliDecompress, constants } from 'node:zlib'
import type { Module } from '../../bench/support/bundle.ts'
import { projectRoot, type WorkerName, workerConfigs, workerNames } from '../support/workers.ts'

const folder = join(projectRoot, 'releases')
const MODULES = 'workers.json.br'
const DIRECTORY = 'migrations/directory'
const LEDGER = 'migrations/ledger'
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
  await cp(join(projectRoot, DIRECTORY), join(to, DIRECTORY), { recursive: true, filter: isSqlOrFolder })
  const named = Object.fromEntries(workerNames.map((name) => [name, bundles[name].map(withoutFolder)]))
  const packed = await promisify(brotliCompress)(JSON.stringify(named), {
    params: { [constants.BROTLI_PARAM_LGWIN]: WINDOW_BITS },
  })
  await writeFile(join(to, MODULES), packed)
  return packed.length
}

const withoutFolder = (module: Module): Module => ({ ...module, path: basename(module.path) })

const isSqlOrFolder = (path: string) => path.endsWith('.sql') || path.endsWith(DIRECTORY)

export interface Release {
  readonly workers: Record<WorkerName, ReleasedWorker>
  /**
   * Whether the tables of now are those of the release, and more: then its Workers and those of now work on the same. It is so from the
   * first deployment on; before, tables may be made anew.
   */
  readonly shares: { readonly directory: boolean; readonly ledgers: boolean }
}

export async function readRelease(version: string): Promise<Release> {
  const from = join(folder, version)
  const packed = await readFile(join(from, MODULES))
  const bundles = JSON.parse((await promisify(brotliDecompress)(packed)).toString()) as Bundles
  const released = (name: WorkerName): ReleasedWorker => ({
    configPath: join(from, `${name}.toml`),
    modules: bundles[name],
  })
  const ledger = bundles.gateway.filter(({ type }) => type === 'Text').map(({ contents }) => contents)
  return {
    workers: {
      gateway: released('gateway'),
      consumers: released('consumers'),
      callbacks: released('callbacks'),
    },
    shares: {
      directory: await isKept(await sqlIn(join(from, DIRECTORY)), DIRECTORY),
      ledgers: await isKept(ledger, LEDGER),
    },
  }
}

/** Whether all of these migrations are still there, word for word. */
async function isKept(migrations: readonly string[], where: string): Promise<boolean> {
  const now = await sqlIn(join(projectRoot, where))
  return migrations.every((sql) => now.includes(sql))
}

async function sqlIn(path: string): Promise<string[]> {
  const files = (await readdir(path)).filter((name) => name.endsWith('.sql'))
  return Promise.all(files.map((file) => readFile(join(path, file), 'utf8')))
}

/** The version that was released last. */
export async function lastRelease(): Promise<string> {
  const versions = (await readdir(folder)).toSorted(byNumbers)
  const last = versions.at(-1)
  if (last === undefined) throw new Error('Nothing has been released.')
  return last
}

const byNumbers = (a: string, b: string) => a.localeCompare(b, 'en', { numeric: true })
