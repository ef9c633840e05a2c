/** When a run has to end: a signal, or npm gone. */
import { once } from 'node:events'
import { parentOf, processName } from './processes.ts'

const SIGNALS = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const
const POLL_MS = 200

export function stopSignal(): AbortSignal {
  const controller = new AbortController()
  // A reader who went away (`npm start | head`) must not end us before we have ended the rest.
  for (const stream of [process.stdout, process.stderr]) stream.on('error', () => {})
  for (const name of SIGNALS) process.on(name, () => controller.abort(name))
  onceOrphaned(() => controller.abort('npm has ended'))
  return controller.signal
}

/** Rejects when the signal comes: the other side of a race. */
export async function abortion(signal: AbortSignal): Promise<never> {
  if (!signal.aborted) await once(signal, 'abort')
  throw signal.reason
}

/**
 * npm runs scripts through a shell, and what ends npm or that shell does not always reach us. Of the two, the shell is not there
 * if it replaced itself by us.
 */
function onceOrphaned(act: () => void): void {
  if (!process.env.npm_lifecycle_event) return
  const shell = processName(process.ppid).endsWith('sh')
  const ancestors = () => `${process.ppid} ${shell && parentOf(process.ppid)}`
  const atFirst = ancestors()
  setInterval(() => ancestors() !== atFirst && act(), POLL_MS).unref()
}
