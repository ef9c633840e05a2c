import { sql } from 'drizzle-orm'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import type { TenantStatus } from '../openapi/tenant-words.ts'
import { acceptBatch } from './batches/accept-batch.ts'
import { plannedChunks, requestAt } from './batches/batches.fixture.ts'
import { nextInstance } from './batches/instances.ts'
import { findBatch } from './batches/rows.ts'
import { memoryDirectory, peopledDirectory } from './directory/directory.fixture.ts'
import { writeMeta } from './meta.ts'
import { LedgerRuntime } from './runtime.ts'
import { SETTINGS } from './settings.fixture.ts'
import { memoryStorage } from './sqlite.fixture.ts'
import { openStore } from './store.ts'
import { standingOf } from './tenant-standing.fixture.ts'
import { countUsage } from './usage-days.ts'
import { addDelivery, addEndpoint, addEvent, NOW } from './webhook-rows.fixture.ts'
import { healthy } from './webhooks/health.ts'

const queue = () => ({ sendBatch: vi.fn(async (_messages: unknown) => undefined) })

/** The platform around a ledger, as far as a ledger without jobs uses it. */
function environment(directory: D1Database) {
  const [callbacks, batches] = [queue(), queue()]
  const env = {
    ...SETTINGS,
    SWEEP_SECONDS: '30',
    ROLL_UP_SECONDS: '30',
    JOBS: queue(),
    JOBS_BULK: queue(),
    JOBS_SLOW: queue(),
    JOBS_SOLO: queue(),
    BATCHES: batches,
    CALLBACKS: callbacks,
    DIRECTORY: directory,
    FIGURES: { writeDataPoint: () => undefined },
  }
  return { env: env as unknown as GatewayEnv, callbacks, batches }
}

/** A ledger that owes a delivery, with its alarm and its messages about endpoints. */
async function owing({
  status = 'active' as TenantStatus,
  pausedUntil = null as number | null,
  directory = null as D1Database | null,
} = {}) {
  const setAlarm = vi.fn(async (_at: number) => undefined)
  const storage = { ...memoryStorage(), getAlarm: async () => null, setAlarm }
  const db = openStore(storage as unknown as DurableObjectStorage, { calls: 0, rowsWritten: 0 })
  writeMeta(db, 'standing', standingOf({}, { status }))
  addEndpoint(db, 'we_a', { health: { ...healthy, pauseMs: 5000, pausedUntil } })
  addEvent(db, 1, 'job.accepted')
  addDelivery(db, 1, 'we_a', 'pending', NOW - 1000)
  const { env, callbacks, batches } = environment(directory ?? (await peopledDirectory('acme')).database)
  const ctx = { storage, id: { name: 'acme:1:0' } } as unknown as DurableObjectState
  const started = async () => {
    const runtime = new LedgerRuntime(ctx, env)
    await runtime.load()
    await runtime.informed()
    return runtime
  }
  const alarms = () => setAlarm.mock.calls.map(([at]) => at)
  return { runtime: await started(), restarted: started, db, callbacks, batches, alarms }
}

beforeEach(() => {
  vi.useFakeTimers({ now: NOW })
})
afterEach(() => {
  vi.useRealTimers()
  vi.restoreAllMocks()
})

describe('a ledger that owes a delivery', () => {
  it('says so, and again when nobody came for it', async () => {
    const { runtime, callbacks } = await owing()

    await runtime.alarm()
    vi.setSystemTime(NOW + 40_000)
    await runtime.alarm()

    const message = { body: { v: 1, tenant_id: 'acme', endpoint_id: 'we_a' } }
    expect(callbacks.sendBatch.mock.calls).toEqual([[[message]], [[message]]])
  })

  it('holds it while the tenant is suspended, and is not woken for it over and over', async () => {
    const { runtime, callbacks, alarms } = await owing({ status: 'suspended' })

    await runtime.alarm()

    expect(callbacks.sendBatch).not.toHaveBeenCalled()
    expect(alarms().filter((at) => at < NOW + 1000)).toEqual([])
  })

  it('looks again as soon as the endpoint takes it', async () => {
    const { runtime, callbacks, alarms } = await owing({ pausedUntil: NOW + 500 })

    runtime.touch()
    await vi.advanceTimersToNextTimerAsync()

    expect(callbacks.sendBatch).not.toHaveBeenCalled()
    expect(alarms().at(-1)).toBe(NOW + 500)
  })
})

describe('a batch', () => {
  async function accepted() {
    const owner = await owing({ pausedUntil: NOW + 86_400_000 })
    const embedded = { model: 'embedded/extract-1', provider: 'embedded' }
    const request = requestAt(NOW, plannedChunks([2]), embedded)
    const reply = owner.runtime.desk.admit((ctx) => acceptBatch(ctx, request))
    if (!reply.ok) throw new Error(reply.refusal.code)
    const { id } = reply.value.batch
    return { ...owner, id, message: { body: { v: 1, tenant_id: 'acme', batch_id: id } } }
  }

  it('asks for its Workflow at once, and again when that has not shown itself', async () => {
    const { runtime, batches, id, message } = await accepted()
    await vi.advanceTimersToNextTimerAsync()
    await runtime.alarm()
    expect(batches.sendBatch.mock.calls).toEqual([[[message]]])

    runtime.desk.work(null, (ctx) => nextInstance(ctx, id, 0))
    vi.setSystemTime(NOW + 29_000)
    await runtime.alarm()
    expect(batches.sendBatch).toHaveBeenCalledTimes(1)
    vi.setSystemTime(NOW + 61_000)
    await runtime.alarm()

    expect(batches.sendBatch.mock.calls).toEqual([[[message]], [[message]]])
  })

  it('ends by its deadline without one, and leaves nothing to wake for but its content', async () => {
    const { runtime, alarms, db, id } = await accepted()
    vi.setSystemTime(NOW + 3_599_000)
    await runtime.alarm()
    expect(alarms().at(-1)).toBe(NOW + 3_600_000)

    vi.setSystemTime(NOW + 3_600_000)
    await runtime.alarm()

    expect(findBatch(db, id)).toMatchObject({ status: 'expired', dueAt: null })
  })
})

describe('a ledger that has something to tell the directory', () => {
  const idle = { pausedUntil: NOW + 86_400_000 }
  const job = { kind: 'summarize', model: 'embedded/extract-1' } as const
  const ended = (runtime: LedgerRuntime) =>
    runtime.desk.work(undefined, (ctx) => countUsage(ctx, job, { jobs: 1, succeeded: 1 }, { succeeded: 1 }))

  it('finds that out when it starts, and is woken for it as long as the directory is down', async () => {
    vi.spyOn(console, 'log').mockImplementation(() => undefined)
    const down = {
      prepare: memoryDirectory().database.prepare,
      batch: () => Promise.reject(new Error('down')),
    }
    const owner = await owing({ ...idle, directory: down as unknown as D1Database })
    ended(owner.runtime)

    const runtime = await owner.restarted()
    expect(owner.alarms().at(-1)).toBe(NOW + 1000)
    for (const seconds of [0, 5, 15]) {
      vi.setSystemTime(NOW + seconds * 1000)
      await runtime.alarm()
      await vi.advanceTimersByTimeAsync(0)
      expect(owner.alarms().at(-1)).toBe(NOW + seconds * 1000 + 5000)
    }
  })

  it('is not woken again once the directory has it', async () => {
    const owner = await owing(idle)
    ended(owner.runtime)
    const runtime = await owner.restarted()
    await runtime.alarm()
    await vi.advanceTimersByTimeAsync(0)

    await runtime.alarm()
    expect(owner.alarms().at(-1)).toBe(idle.pausedUntil)
    await (await owner.restarted()).alarm()
    expect(owner.alarms().at(-1)).toBe(idle.pausedUntil)
  })
})

describe("a ledger's alarm", () => {
  it('is set when it comes back with something to do and without one', async () => {
    expect((await owing()).alarms()).toEqual([NOW + 1000])
  })

  it('that fails is tried again in a second', async () => {
    const { runtime, db, alarms } = await owing()
    const log = vi.spyOn(console, 'log').mockImplementation(() => undefined)
    db.run(sql`drop table jobs`)

    vi.setSystemTime(NOW + 60_000)
    await runtime.alarm()

    expect(alarms().at(-1)).toBe(NOW + 61_000)
    expect(log.mock.calls.join()).toContain('ledger.alarm_failed')
  })
})
