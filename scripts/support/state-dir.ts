/** Where a run keeps what outlives it, and how its files are written: whole or not at all, and for the owner only. */
import { existsSync, mkdirSync, readFileSync, realpathSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { RunError } from './claims.ts'

export interface StateDir {
  readonly root: string
  /** What the Workers store: D1, R2, ledgers. */
  readonly data: string
  /** Everything that may go between two runs. */
  readonly temp: string
  /** Where sessions of wrangler find the run's Workers. */
  readonly registry: string
  readonly secrets: string
  readonly credentials: string
  /** Who runs on this state; for people, since pids alone prove nothing. */
  readonly run: string
  readonly lock: string
  readonly log: string
}

/** Makes it where it is missing. */
export function openStateDir(path: string): StateDir {
  const root = madeFolder(path)
  const temp = join(root, 'tmp')
  return {
    root,
    data: join(root, 'data'),
    temp,
    registry: join(temp, 'registry'),
    secrets: join(root, 'secrets.json'),
    credentials: join(root, 'credentials.json'),
    run: join(root, 'run.json'),
    lock: join(root, 'lock.sqlite'),
    log: join(root, 'wrangler.log'),
  }
}

function madeFolder(path: string): string {
  try {
    mkdirSync(path, { recursive: true, mode: 0o700 })
    return realpathSync(path)
  } catch (error) {
    throw new RunError(`STATE_DIR must be a folder that can be written to: ${(error as Error).message}.`)
  }
}

export function clearTemp({ temp }: StateDir): void {
  rmSync(temp, { recursive: true, force: true })
  mkdirSync(temp)
}

/** The parsed file; null if there is none. */
export function readJson(file: string): unknown {
  return existsSync(file) ? (JSON.parse(readFileSync(file, 'utf8')) as unknown) : null
}

/** Replaces the file at once, so that a kill leaves the old one or the new one. */
export function writeJson(file: string, value: unknown): void {
  const fresh = `${file}.${process.pid}`
  writeFileSync(fresh, `${JSON.stringify(value, null, 2)}\n`, { mode: 0o600, flush: true })
  renameSync(fresh, file)
}
