/** wrangler as it is found in the PATH, which npm lets begin with the project's own. It asks nothing: nobody is there to answer. */
import { spawn } from 'node:child_process'
import { projectRoot } from '../support/workers.ts'
import type { Said, Wrangler } from './run-plan.ts'

/** With `echo`, what it says is shown as it comes, too. */
export const wranglerFromPath =
  (echo = false): Wrangler =>
  (call, input = '') =>
    new Promise<Said>((resolve, reject) => {
      const child = spawn('wrangler', call, {
        cwd: projectRoot,
        env: { ...process.env, CI: 'true', WRANGLER_SEND_METRICS: 'false' },
        stdio: ['pipe', 'pipe', 'pipe'],
      })
      const parts = { out: '', all: '' }
      const take = (text: string) => {
        parts.all += text
        if (echo) process.stderr.write(text)
      }
      child.stdout.setEncoding('utf8').on('data', (text: string) => {
        parts.out += text
        take(text)
      })
      child.stderr.setEncoding('utf8').on('data', take)
      child.on('error', reject)
      child.on('close', (code) => resolve({ code: code ?? 1, ...parts }))
      // It may have ended without reading.
      child.stdin.on('error', () => {})
      child.stdin.end(input)
    })
