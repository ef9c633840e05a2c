import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { BatchLedger, plannedChunks, START, startedBatch } from './batches/batches.fixture.ts'
import { sent } from './batches/submissions.fixture.ts'
import { gaugesOf } from './gauges.ts'
import { completed, JobLedger } from './jobs.fixture.ts'
import { OpenJobs } from './open-jobs.ts'
import { nextDeadline } from './sweep.ts'

const idle = {
  ...{ waiting: 0, running: 0, oldestWaitingAt: null, oldestUnfinishedAt: null },
  ...{ pastDeadline: 0, batchesOpen: 0, batchesStalled: 0 },
}

beforeEach(() => {
  vi.useFakeTimers({ now: START })
})
afterEach(() => {
  vi.useRealTimers()
})

describe('how jobs stand', () => {
  const gauges = (ledger: JobLedger) =>
    gaugesOf(ledger.db, ledger.life.open, Date.now(), nextDeadline(ledger.db))

  it('is nothing in an idle ledger', () => {
    const ledger = new JobLedger()
    expect(gauges(ledger)).toEqual(idle)
    const id = ledger.accept()
    ledger.claim(id)
    ledger.settle(id, completed)
    expect(gauges(ledger)).toEqual(idle)
  })

  it('tells of what waits apart from what runs, and since when', () => {
    const ledger = new JobLedger()
    const first = ledger.accept()
    vi.advanceTimersByTime(2000)
    ledger.accept()
    ledger.claim(first)

    expect(gauges(ledger)).toEqual({
      ...{ ...idle, waiting: 1, running: 1 },
      ...{ oldestWaitingAt: START + 2000, oldestUnfinishedAt: START },
    })
  })

  it('counts those whose deadline is over, and no others', () => {
    const ledger = new JobLedger()
    ledger.accept('embedded/extract-1', 10)
    ledger.accept('embedded/extract-1', 60)
    vi.advanceTimersByTime(9999)
    expect(gauges(ledger).pastDeadline).toBe(0)
    vi.advanceTimersByTime(1)
    expect(gauges(ledger).pastDeadline).toBe(1)
  })
})

describe('how batches stand', () => {
  const gauges = (ledger: BatchLedger) => gaugesOf(ledger.db, new OpenJobs(), ledger.now, null)

  it('tells how many are open, and how many of these have waited too long for their provider', () => {
    const ledger = new BatchLedger()
    sent(ledger, startedBatch(ledger))
    startedBatch(ledger, plannedChunks([2]), { processingVersion: '2' })
    expect(gauges(ledger)).toMatchObject({ batchesOpen: 2, batchesStalled: 0 })

    ledger.pass(60_000)

    expect(gauges(ledger)).toMatchObject({ batchesOpen: 2, batchesStalled: 1 })
  })
})
