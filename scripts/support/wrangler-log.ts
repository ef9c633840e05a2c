/** wrangler's output lies in a file, so that a run whose starter was killed can go on writing; here it is read back. */
import { closeSync, fstatSync, openSync, readFileSync, readSync } from 'node:fs'
import type { StateDir } from './state-dir.ts'

const POLL_MS = 300
const errorLine = /\[ERROR\]|\[wrangler:error\]/

export const lastLines = ({ log }: StateDir, count = 15): string =>
  readFileSync(log, 'utf8').trimEnd().split('\n').slice(-count).join('\n')

/** Hands on each line that reports an error, for as long as this process lives. */
export function followErrors({ log }: StateDir, onError: (line: string) => void): void {
  let offset = 0
  let rest = ''
  const poll = () => {
    const added = readFrom(log, offset)
    offset += added.length
    const lines = (rest + added.toString('utf8')).split('\n')
    rest = lines.pop() ?? ''
    for (const line of lines.filter((text) => errorLine.test(text))) onError(line.trim())
  }
  setInterval(poll, POLL_MS).unref()
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
