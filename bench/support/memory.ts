/** The resident memory of the workerd processes that this process started, from /proc (Linux). */
import { readdirSync, readFileSync } from 'node:fs'

const SAMPLE_MS = 10

interface Process {
  readonly pid: number
  readonly parent: number
  readonly name: string
}

function processes(): Process[] {
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .flatMap((name) => {
      const [, command, parent] = /\((.*)\) \S (\d+)/s.exec(contentOf(`/proc/${name}/stat`)) ?? []
      return command ? [{ pid: Number(name), parent: Number(parent), name: command }] : []
    })
}

/** Empty for a process that has ended since. */
function contentOf(path: string): string {
  try {
    return readFileSync(path, 'utf8')
  } catch {
    return ''
  }
}

/** All workerd processes below this one. */
export function workerdPids(): number[] {
  const all = processes()
  const below = (parent: number): Process[] =>
    all.filter((one) => one.parent === parent).flatMap((one) => [one, ...below(one.pid)])
  const pids = below(process.pid).flatMap(({ name, pid }) => (name === 'workerd' ? [pid] : []))
  if (pids.length === 0) throw new Error('There is no workerd to measure.')
  return pids
}

/** Their resident memory together, in MB (2^20 bytes). */
export const residentMb = (pids: readonly number[]) =>
  pids.reduce(
    (sum, pid) => sum + Number(/VmRSS:\s+(\d+) kB/.exec(contentOf(`/proc/${pid}/status`))?.[1]),
    0,
  ) / 1024

const TICKS_PER_SECOND = 100

/** The CPU time that they have taken together, in ms, in steps of 10. */
export const cpuMs = (pids: readonly number[]) =>
  pids.reduce((sum, pid) => {
    const [user = Number.NaN, system = Number.NaN] = afterName(pid).slice(11, 13).map(Number)
    return sum + ((user + system) * 1000) / TICKS_PER_SECOND
  }, 0)

/** The fields of its line in /proc that follow the name, which may hold anything. */
const afterName = (pid: number) => contentOf(`/proc/${pid}/stat`).split(')').at(-1)?.trim().split(' ') ?? []

/** What the work came to, and the most that was resident while it went on, in MB, looked at every 10 ms. */
export async function withPeak<T>(
  pids: readonly number[],
  work: () => Promise<T>,
): Promise<{ value: T; peakMb: number }> {
  let peakMb = residentMb(pids)
  const look = () => {
    peakMb = Math.max(peakMb, residentMb(pids))
  }
  const timer = setInterval(look, SAMPLE_MS)
  try {
    const value = await work()
    look()
    return { value, peakMb }
  } finally {
    clearInterval(timer)
  }
}
