import fc from 'fast-check'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { completed, JobLedger } from './jobs.fixture.ts'
import { OpenJobs, readOpenJobs } from './open-jobs.ts'

const START = Date.UTC(2026, 10, 30)
const job = (second: number, more: object = {}) =>
  ({
    kind: 'summarize',
    model: 'test/slow',
    createdAt: START + second * 1000 + 1,
    batchChunk: null,
    ...more,
  }) as const

describe('open jobs', () => {
  it('are counted by kind and model, those of items in the total alone', () => {
    const open = new OpenJobs()
    open.add(job(0), 2)
    open.add(job(1, { model: 'test/flaky' }), 1)
    open.add(job(1, { batchChunk: 0 }), 1)

    expect(open.total).toBe(4)
    expect([...open.ofWork]).toEqual([
      ['summarize test/slow', 2],
      ['summarize test/flaky', 1],
    ])
  })

  it('leave nothing behind when they have ended', () => {
    const open = new OpenJobs()
    open.add(job(3), 1)
    open.add(job(3), -1)

    expect([open.total, open.ofWork.size, open.oldest()]).toEqual([0, 0, null])
  })

  it('have an oldest one, and an oldest one but for some', () => {
    const open = new OpenJobs()
    for (const second of [7, 5, 5, 9]) open.add(job(second), 1)
    const second = (at: number) => START / 1000 + at

    expect(open.oldest()).toBe(START + 5000)
    expect(open.oldest(new Map([[second(5), 1]]))).toBe(START + 5000)
    expect(open.oldest(new Map([[second(5), 2]]))).toBe(START + 7000)
  })
})

describe('what memory has of open jobs', () => {
  beforeEach(() => {
    vi.useFakeTimers({ now: START })
  })
  afterEach(() => {
    vi.useRealTimers()
  })

  it('is what the tables say, whatever happens', () => {
    const models = fc.constantFrom('embedded/extract-1', 'test/slow')
    const step = fc.tuple(fc.constantFrom('accept', 'settle', 'cancel', 'pass'), models)
    fc.assert(
      fc.property(fc.array(step, { maxLength: 30 }), (steps) => {
        const ledger = new JobLedger()
        const ids: string[] = []
        for (const [what, model] of steps) {
          if (what === 'accept') ids.push(ledger.accept(model))
          if (what === 'pass') vi.advanceTimersByTime(700)
          const id = what === 'settle' || what === 'cancel' ? ids.shift() : undefined
          if (id && what === 'cancel') ledger.cancel(id)
          if (id && what === 'settle') {
            ledger.claim(id)
            ledger.settle(id, completed)
          }
        }
        const { open } = ledger.life
        const read = readOpenJobs(ledger.db)
        expect([open.total, open.oldest()]).toEqual([read.total, read.oldest()])
        expect(new Map(open.ofWork)).toEqual(new Map(read.ofWork))
      }),
      { numRuns: 30 },
    )
  })
})
