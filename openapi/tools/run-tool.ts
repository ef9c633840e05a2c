/** Runs a tool of this package by its name, and keeps what it prints. */
import { spawn } from 'node:child_process'
import { delimiter, join } from 'node:path'

export const tools = import.meta.dirname
const binaries = [tools, join(tools, '../..')].map((folder) => join(folder, 'node_modules/.bin'))

const environment = {
  ...process.env,
  // This package's own come first: its TypeScript is older than the root's.
  PATH: [...binaries, process.env.PATH].join(delimiter),
  NO_COLOR: '1',
  REDOCLY_TELEMETRY: 'off',
  REDOCLY_SUPPRESS_UPDATE_NOTICE: 'true',
}

/** Longer than any tool takes on a busy machine; one that hangs is ended. */
const PATIENCE_MS = 120_000

export type Printed = { readonly code: number; readonly stdout: string; readonly stderr: string }

export function runTool(
  [command = '', ...options]: readonly string[],
  extra: Record<string, string> = {},
): Promise<Printed> {
  return new Promise((resolve, reject) => {
    const child = spawn(command, options, {
      cwd: tools,
      env: { ...environment, ...extra },
      stdio: ['ignore', 'pipe', 'pipe'],
      timeout: PATIENCE_MS,
    })
    const printed = { stdout: '', stderr: '' }
    for (const stream of ['stdout', 'stderr'] as const)
      child[stream].setEncoding('utf8').on('data', (text: string) => {
        printed[stream] += text
      })
    child.on('error', reject)
    child.on('close', (code, signal) => {
      if (signal) printed.stderr += `\nIt was ended by ${signal}.`
      resolve({ code: code ?? 1, ...printed })
    })
  })
}
