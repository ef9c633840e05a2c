/** What a run's processes say lies in a file, so that those whose starter was killed can go on writing; here it is read back. */
import { closeSync, fstatSync, openSync, readFileSync, readSync, writeFileSync } from 'node:fs'
import { stripVTControlCharacters } from 'node:util'
import type { StateDir } from './state-dir.ts'

const POLL_MS = 300
/** As wrangler begins a line with what went wrong in a Worker. */
export const errorMark = '[ERROR]'
const errorMarks = [errorMark, '[wrangler:error]']

export function emptyLog({ log }: StateDir): void {
  writeFileSync(log, '', { mode: 0o600 })
}

export const lastLines = ({ log }: StateDir, count = 15): string =>
  readFileSync(log, 'utf8').trimEnd().split('\n').slice(-count).join('\n')

/** Hands on each line that reports an error, until the signal comes. */
export function followErrors({ log }: StateDir, onError: (line: string) => void, ending: AbortSignal): void {
  let offset = 0
  let rest = ''
  const poll = () => {
    const added = readFrom(log, offset)
    offset += added.length
    const lines = (rest + added.toString('utf8')).split('\n')
    rest = lines.pop() ?? ''
    // wrangler colours some of its lines, terminal or not.
    for (const line of lines.map(stripVTControlCharacters))
      if (errorMarks.some((mark) => line.includes(mark))) onError(line.trim())
  }
  const timer = setInterval(poll, POLL_MS).unref()
  ending.addEventListener('abort', () => clearInterval(timer))
}

function readFrom(file: string, offset: number): Buffer {
  const open = openSync(file, 'r')
  try {
    const bytes = Buffer.alloc(Math.max(0, fstatSync(open).size - offset))
    return bytes.subarray(0, readSync(open, bytes, 0, bytes.length, offset))
  } finally {
    closeSync(open)
  }
}
