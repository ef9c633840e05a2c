/**
 * The processes of a run. All of them inherit a variable that names the state directory, so they are found however they were
 * orphaned, and nobody else's can be taken for them, as could happen with pids from a file. Reads /proc: where there is none
 * (macOS), none are found, and only `endWithUs` ends them.
 */
import type { ChildProcess } from 'node:child_process'
import { readdirSync, readFileSync } from 'node:fs'
import { setTimeout as sleep } from 'node:timers/promises'
import { RunError } from './claims.ts'

const MARK = 'GATEWAY_STATE_DIR'
const TERM_MS = 2500
const KILL_MS = 1000
const POLL_MS = 50

export const mark = (root: string): Record<string, string> => ({ [MARK]: root })

/** Pids of what runs on this state. A zombie has no environment any more, and is not among them. */
export function processesOf(root: string): number[] {
  return pids().filter((pid) => pid !== process.pid && environmentOf(pid).includes(`${MARK}=${root}`))
}

/** Ends them all within four seconds; throws if one is left. */
export async function endProcesses(root: string): Promise<void> {
  if (await ended(root, 'SIGTERM', TERM_MS)) return
  if (await ended(root, 'SIGKILL', KILL_MS)) return
  throw new RunError(`Processes that cannot be ended: ${processesOf(root).join(', ')}`)
}

async function ended(root: string, signal: NodeJS.Signals, withinMs: number): Promise<boolean> {
  for (const pid of processesOf(root)) send(pid, signal)
  for (const until = Date.now() + withinMs; Date.now() < until; await sleep(POLL_MS))
    if (processesOf(root).length === 0) return true
  return false
}

/** Whatever ends this process, short of a SIGKILL, takes the rest of the child's process group along. */
export function endWithUs({ pid }: ChildProcess): void {
  process.on('exit', () => pid && send(-pid, 'SIGKILL'))
}

function send(pid: number, signal: NodeJS.Signals): void {
  try {
    process.kill(pid, signal)
  } catch {
    // It has ended already.
  }
}

function pids(): number[] {
  try {
    return readdirSync('/proc').map(Number).filter(Number.isInteger)
  } catch {
    return []
  }
}

const environmentOf = (pid: number) => readProc(pid, 'environ').split('\0')
export const commandOf = (pid: number) => readProc(pid, 'cmdline').replaceAll('\0', ' ')
export const processName = (pid: number) => readProc(pid, 'comm').trim()
export const parentOf = (pid: number) => /^PPid:\t(\d+)$/m.exec(readProc(pid, 'status'))?.[1] ?? null

/** Empty where the process has ended or is somebody else's. */
function readProc(pid: number, file: string): string {
  try {
    return readFileSync(`/proc/${pid}/${file}`, 'utf8')
  } catch {
    return ''
  }
}
