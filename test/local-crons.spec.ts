import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, it, onTestFinished } from 'vitest'
import { connect } from '../scripts/support/api.ts'
import { freePort } from '../scripts/support/claims.ts'
import { type LocalRun, startLocalRun } from '../scripts/support/local-run.ts'
import { processesOf } from '../scripts/support/processes.ts'
import { openScheduledCalls, type ScheduledCalls } from '../scripts/support/scheduled-calls.ts'
import { localSchedules, type Schedule } from '../scripts/support/schedules.ts'
import { newReceiver } from './support/receiver.ts'
import { until } from './support/wait.ts'

interface Started {
  readonly run: LocalRun
  readonly errors: string[]
}

/** As `npm start` does it, but for what a batch waits for until it counts as stalled. */
async function localRun(): Promise<Started> {
  const stateDir = mkdtempSync(join(tmpdir(), 'local-run-'))
  const errors: string[] = []
  const run = await startLocalRun({
    port: await freePort(),
    stateDir,
    settings: { BATCH_STALLED_SECONDS: '1', ROLL_UP_SECONDS: '1' },
    signal: new AbortController().signal,
    onError: (line) => errors.push(line),
  })
  onTestFinished(async () => {
    await run.stop()
    expect(await run.died).toBe('')
    expect(processesOf(run.state.root)).toEqual([])
    rmSync(stateDir, { recursive: true })
  })
  return { run, errors }
}

/** What the clock does when the time has come. */
async function fire({ run }: Started, schedules: readonly Schedule[]): Promise<string[]> {
  const names = schedules.map(({ worker }) => worker)
  const calls: ScheduledCalls = await openScheduledCalls(run.state.registry, names)
  const outcomes: string[] = []
  for (const schedule of schedules) outcomes.push(await calls.call(schedule, new Date()))
  await calls.close()
  return outcomes
}

async function withStalledBatch({ run: { credentials } }: Started): Promise<void> {
  const [acme] = credentials.tenants
  const ops = await connect(credentials.base_url, credentials.operator)
  const api = acme && (await connect(credentials.base_url, acme))
  const item = { external_reference: 'one', input: { text: 'A provider that never answers has it.' } }
  await api?.('POST', '/v1/batches', {
    headers: { 'Idempotency-Key': 'stalled' },
    body: { kind: 'summarize', model: 'test/batch-stuck', items: [item] },
  })
  await until('the batch counts as stalled', async () =>
    String((await ops('GET', '/ops/v1/metrics')).body).includes('\ngateway_batches_stalled 1\n'),
  )
}

describe('the crons of the local run', () => {
  it('reach the Workers that declare them: the alert of a stalled batch is told', async () => {
    const local = await localRun()
    const { base_url, operator } = local.run.credentials
    const receiver = await newReceiver()
    const ops = await connect(base_url, operator)
    await ops('POST', '/ops/v1/alert_endpoints', { body: { url: receiver.url, reason: 'a spec' } })
    await withStalledBatch(local)
    const schedules = localSchedules()

    const outcomes = await fire(local, [...schedules, { worker: 'callbacks', cron: 'has none' }])

    expect(outcomes).toEqual([...schedules.map(() => 'ok'), 'exception'])
    const { event } = await receiver.event('alert.opened')
    expect(event.data).toMatchObject({ condition: 'stalled_batches', value: 1 })
    expect(local.errors).toEqual([])
  })
})
