import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { lock } from './claims.ts'
import { endProcesses, mark, processesOf } from './processes.ts'
import { openStateDir, readJson, type StateDir, writeJson } from './state-dir.ts'

let state: StateDir
beforeEach(() => {
  state = openStateDir(mkdtempSync(join(tmpdir(), 'gateway-test-')))
})
afterEach(() => rmSync(state.root, { recursive: true }))

async function start(script: string, root: string) {
  const env: Record<string, string> = { PATH: process.env.PATH ?? '', ...mark(root) }
  const loop = `${script}; setInterval(() => {}, 1000); console.log('up')`
  const child = spawn(process.execPath, ['-e', loop], { env: env as NodeJS.ProcessEnv })
  await once(child.stdout, 'data')
  return child
}

describe.runIf(process.platform === 'linux')('the processes of a run', () => {
  it('end, also those that ignore SIGTERM', async () => {
    await start('', state.root)
    await start("process.on('SIGTERM', () => {})", state.root)
    expect(processesOf(state.root)).toHaveLength(2)
    await endProcesses(state.root)
    expect(processesOf(state.root)).toEqual([])
  })

  it('are not those of a run whose directory begins alike', async () => {
    const other = await start('', `${state.root}-2`)
    await endProcesses(state.root)
    expect(other.exitCode ?? other.signalCode).toBeNull()
    other.kill('SIGKILL')
  })
})

describe('a state directory', () => {
  it('is locked by one run at a time', async () => {
    const unlock = await lock(state, new AbortController().signal)
    await expect(lock(state, AbortSignal.timeout(300))).rejects.toThrow()
    unlock()
    const again = await lock(state, new AbortController().signal)
    again()
  })

  it('keeps JSON for its owner only', async () => {
    writeJson(state.secrets, { key: 'value' })
    expect(readJson(state.secrets)).toEqual({ key: 'value' })
  })
})
