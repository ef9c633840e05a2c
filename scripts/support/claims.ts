/** What a run needs for itself before it starts: its state directory and its port. */
import { existsSync } from 'node:fs'
import { createServer } from 'node:net'
import { DatabaseSync } from 'node:sqlite'
import { setTimeout as sleep } from 'node:timers/promises'
import { readJson, type StateDir } from './state-dir.ts'

/** A failure that its message says all about; nobody needs the stack. */
export class RunError extends Error {}

/** How long a run that has been told to end may still hold its state. */
const HANDOVER_MS = 6000
const SQLITE_BUSY = 5

/** SQLite's lock is the kernel's: atomic, and gone with its process, however that ends. */
export async function lock(state: StateDir, signal: AbortSignal): Promise<() => void> {
  const database = new DatabaseSync(state.lock, { timeout: 0 })
  for (const until = Date.now() + HANDOVER_MS; !locked(database); await sleep(100, null, { signal }))
    if (Date.now() > until) {
      database.close()
      throw inUse(state)
    }
  return () => database.close()
}

function locked(database: DatabaseSync): boolean {
  try {
    database.exec('PRAGMA journal_mode = MEMORY; BEGIN EXCLUSIVE')
    return true
  } catch (error) {
    if ((error as { errcode?: number }).errcode === SQLITE_BUSY) return false
    throw error
  }
}

function inUse(state: StateDir): RunError {
  const { pid, base_url } = (readJson(state.run) ?? {}) as { pid?: number; base_url?: string }
  const holder = pid ? ` (process ${pid}, ${base_url})` : ''
  return new RunError(`${state.root} is in use by another run${holder}. Stop it, or set another STATE_DIR.`)
}

/** Each address of localhost by itself: a socket on one does not keep others off the rest. */
export async function requireFreePort(port: number): Promise<void> {
  for (const host of ['127.0.0.1', '::1']) {
    const code = await listenError(port, host)
    if (code === 'EADDRINUSE')
      throw new RunError(`Port ${port} is taken. Set another one: PORT=8788 npm start`)
    if (code === 'EACCES')
      throw new RunError(`Port ${port} may not be opened by this user. Set another PORT.`)
  }
}

function listenError(port: number, host: string): Promise<string | undefined> {
  return new Promise((resolve) => {
    const server = createServer()
    server.once('error', ({ code }: NodeJS.ErrnoException) => resolve(code))
    server.listen({ port, host, exclusive: true }, () => server.close(() => resolve(undefined)))
  })
}

export function freePort(): Promise<number> {
  return new Promise((resolve, reject) => {
    const server = createServer().once('error', reject)
    server.listen(0, '127.0.0.1', () => {
      const address = server.address()
      server.close(() => resolve(typeof address === 'object' && address ? address.port : 0))
    })
  })
}

/** wrangler would read such a file instead of the settings and secrets of the run. */
export function refuseDevVars(folders: readonly string[]): void {
  const found = folders.map((folder) => `${folder}/.dev.vars`).find(existsSync)
  if (found) throw new RunError(`${found} would replace the settings of this run. Move it away.`)
}
