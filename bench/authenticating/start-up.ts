/** What `wrangler check startup` tells of the gateway as it is deployed. */
import { spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { median } from '../support/median.ts'

const root = join(import.meta.dirname, '../..')
const wrangler = join(root, 'node_modules/wrangler/bin/wrangler.js')
const TIMES = 3

export interface StartUp {
  readonly gzipKib: number
  /** Without what the profile counts as idle; the median of several starts. */
  readonly activeMs: number
}

export function measureStartUp(): StartUp {
  const dir = mkdtempSync(join(tmpdir(), 'startup-'))
  try {
    const told = Array.from({ length: TIMES }, () => checkOnce(join(dir, 'startup.cpuprofile')))
    return {
      gzipKib: median(told.map((text) => figureIn(text, /gzip: ([\d.]+) KiB/))),
      activeMs: median(told.map((text) => figureIn(text, /Active: ([\d.]+) ms/))),
    }
  } finally {
    rmSync(dir, { recursive: true })
  }
}

function checkOnce(outfile: string): string {
  const args = ['check', 'startup', '--outfile', outfile, '--args=--env production']
  const { status, stdout, stderr } = spawnSync(process.execPath, [wrangler, ...args], {
    cwd: root,
    encoding: 'utf8',
    env: { ...process.env, WRANGLER_LOG: 'log' },
  })
  if (status !== 0) throw new Error(`wrangler check startup failed:\n${stdout}${stderr}`)
  return stdout
}

function figureIn(text: string, shape: RegExp): number {
  const figure = shape.exec(text)?.[1]
  if (figure === undefined) throw new Error(`wrangler check startup does not tell ${shape}:\n${text}`)
  return Number(figure)
}
