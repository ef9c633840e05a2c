import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { completed, failedOf, JobLedger } from './jobs.fixture.ts'
import { sweepDeadlines, sweepLeases } from './sweep.ts'
import { workFigures } from './work-figures.ts'

const START = Date.UTC(2026, 10, 30)
const HOUR_MS = 3_600_000

let ledger: JobLedger
beforeEach(() => {
  vi.useFakeTimers({ now: START })
  ledger = new JobLedger()
})
afterEach(() => {
  vi.useRealTimers()
})

const told = () => workFigures(ledger.db, ledger.life.open.ofWork)[0]
const observations = (buckets: readonly number[] = []) => buckets.reduce((sum, n) => sum + n, 0)

function claimedAfter(ms: number): string {
  const id = ledger.accept()
  vi.advanceTimersByTime(ms)
  ledger.claim(id)
  return id
}

describe('a job', () => {
  it('is open until it has ended, and counts as accepted all the time', () => {
    const id = claimedAfter(0)
    expect(told()).toMatchObject({ open: 1, succeeded: 0 })

    ledger.settle(id, completed)

    expect(told()).toMatchObject({ open: 0, succeeded: 1, attemptsSucceeded: 1, failures: {} })
  })

  it('is observed once: how long it waited, and how long its attempt took', () => {
    const id = claimedAfter(400)
    vi.advanceTimersByTime(3000)
    ledger.settle(id, completed)

    const { queued, processed } = told() ?? {}
    expect([queued?.sumMs, observations(queued?.buckets)]).toEqual([400, 1])
    expect([processed?.sumMs, observations(processed?.buckets)]).toEqual([3000, 1])
  })

  it('counts each attempt by its class, and fails for good once', () => {
    const id = claimedAfter(0)
    for (let attempt = 1; attempt <= 2; attempt++) {
      if (attempt > 1) {
        vi.advanceTimersByTime(5000)
        ledger.claim(id, attempt)
      }
      ledger.settle(id, failedOf('invalid_output'), attempt)
    }

    expect(told()).toMatchObject({
      ...{ open: 0, failed: 1, attemptsSucceeded: 0, attemptsFailed: { invalid_output: 2 } },
      ...{ retries: { invalid_output: 1 }, failures: { invalid_output: 1 } },
    })
    expect(observations(told()?.processed.buckets)).toBe(2)
  })

  it('counts a settlement that is repeated, or comes too late, not again', () => {
    const id = claimedAfter(0)
    ledger.settle(id, completed)
    const before = told()

    ledger.settle(id, completed)
    ledger.settle(id, failedOf('timeout'))

    expect(told()).toEqual(before)
  })

  it('that is cancelled while it runs has no settled attempt, but waited', () => {
    const id = claimedAfter(400)
    ledger.cancel(id)
    ledger.settle(id, completed)

    expect(told()).toMatchObject({ open: 0, cancelled: 1, attemptsSucceeded: 0, failures: {} })
    expect(observations(told()?.queued.buckets)).toBe(1)
  })

  it('that never started fails of its deadline without an attempt, and was not seen to wait', () => {
    ledger.accept()
    vi.advanceTimersByTime(2 * HOUR_MS)
    ledger.run(sweepDeadlines)

    expect(told()).toMatchObject({
      ...{ open: 0, failed: 1, attemptsFailed: {}, failures: { deadline_exceeded: 1 } },
      queued: { sumMs: 0 },
    })
  })

  it('whose lease is lost has had no attempt, until that is heard of after all', () => {
    const id = claimedAfter(0)
    vi.advanceTimersByTime(61_000)
    ledger.run(sweepLeases)
    expect(told()).toMatchObject({ open: 1, attemptsFailed: {}, retries: {} })

    ledger.settle(id, completed)

    expect(told()).toMatchObject({ open: 0, succeeded: 1, attemptsSucceeded: 1 })
  })

  it('that lost its leases fails for good without a settled attempt', () => {
    const id = claimedAfter(0)
    for (let attempt = 1; attempt <= 5; attempt++) {
      if (attempt > 1) ledger.claim(id, attempt)
      vi.advanceTimersByTime(61_000)
      ledger.run(sweepLeases)
    }

    expect(told()).toMatchObject({ open: 0, failed: 1, attemptsFailed: {}, failures: { internal: 1 } })
  })

  it('that is cancelled while it waits for a retry has had its attempts, and has not failed', () => {
    const id = claimedAfter(400)
    ledger.settle(id, failedOf('provider_overloaded'))
    ledger.cancel(id)

    expect(told()).toMatchObject({
      ...{ cancelled: 1, failures: {}, retries: { provider_overloaded: 1 } },
      attemptsFailed: { provider_overloaded: 1 },
    })
  })
})

describe('what was counted', () => {
  it('is the same after memory is lost', () => {
    ledger.accept('test/slow')
    ledger.settle(claimedAfter(10), completed)
    const all = () => workFigures(ledger.db, ledger.life.open.ofWork)
    const before = all()

    ledger.evict()

    expect(all()).toEqual(before)
  })
})
