/** An executable in the place of wrangler, first in the PATH: it keeps what it was called with, and answers as it was told. */
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { delimiter, join } from 'node:path'
import { onTestFinished, vi } from 'vitest'
import { quoted } from './plan.ts'

interface Answer {
  /** The beginning of the arguments that it is for. */
  readonly to: string
  readonly code?: number
  readonly out?: string
  readonly complaint?: string
}

export interface StandIn {
  /** What it was called with, arguments with spaces between. */
  calls(): string[]
  /** What it was given to read, by call. */
  inputs(): string[]
  answer(answers: readonly Answer[]): void
}

/** The first answer that fits holds; without one it says nothing, and all is well. */
export function wranglerStandIn(answers: readonly Answer[] = []): StandIn {
  const folder = mkdtempSync(join(tmpdir(), 'stand-in-'))
  const file = (name: string) => join(folder, name)
  writeFileSync(file('wrangler'), program(folder), { mode: 0o755 })
  vi.stubEnv('PATH', `${folder}${delimiter}${process.env.PATH}`)
  onTestFinished(() => {
    vi.unstubAllEnvs()
    rmSync(folder, { recursive: true })
  })
  const answer = (all: readonly Answer[]) => writeFileSync(file('answers'), cases(all))
  answer(answers)
  const lines = (name: string) =>
    existsSync(file(name)) ? readFileSync(file(name), 'utf8').trimEnd().split('\n') : []
  return { calls: () => lines('calls'), inputs: () => lines('inputs'), answer }
}

/** In sh, which starts at once. What it reads is one line at most. */
const program = (folder: string) => `#!/bin/sh
printf '%s\\n' "$*" >> '${folder}/calls'
{ cat; echo; } >> '${folder}/inputs'
. '${folder}/answers'
`

const cases = (answers: readonly Answer[]) => `case "$*" in
${answers.map(({ to, code = 0, out = '', complaint = '' }) => `${quoted(to)}*) printf %s ${quoted(out)}; printf %s ${quoted(complaint)} >&2; exit ${code};;`).join('\n')}
esac
`
