import { appendFileSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, it, vi } from 'vitest'
import { openStateDir } from './state-dir.ts'
import { emptyLog, followErrors } from './wrangler-log.ts'

it('hands on the lines of the log that report an error, whole and without colours, until its end', async () => {
  vi.useFakeTimers()
  const state = openStateDir(mkdtempSync(join(tmpdir(), 'gateway-test-')))
  const ending = new AbortController()
  const lines: string[] = []
  const write = (text: string) => {
    appendFileSync(state.log, text)
    return vi.advanceTimersByTimeAsync(1000)
  }
  emptyLog(state)
  followErrors(state, (line) => lines.push(line), ending.signal)

  await write('[wrangler:info] Ready\n[ERROR] The cron of no')
  await write(
    'body failed\n\u001b[31m✘ \u001b[41;31m[\u001b[41;97mERROR\u001b[41;31m]\u001b[0m \u001b[1mUncaught\u001b[0m\n',
  )
  ending.abort()
  await write('[ERROR] too late\n')

  expect(lines).toEqual(['[ERROR] The cron of nobody failed', '✘ [ERROR] Uncaught'])
  rmSync(state.root, { recursive: true })
  vi.useRealTimers()
})
