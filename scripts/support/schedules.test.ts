import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { type CallOnSchedule, keepSchedules, localSchedules, type Schedule } from './schedules.ts'

const MINUTE_MS = 60_000
const everyMinute: Schedule = { worker: 'consumers', cron: '* * * * *' }

let errors: string[]
let stop: () => void
beforeEach(() => {
  errors = []
  vi.useFakeTimers({ now: Date.parse('2026-11-29T23:57:20.500Z') })
})
afterEach(() => {
  stop()
  vi.useRealTimers()
})

/** What is called from now on, with its time. */
function called(schedules: readonly Schedule[], outcome: CallOnSchedule = async () => 'ok'): string[] {
  const calls: string[] = []
  const call: CallOnSchedule = (schedule, at) => {
    calls.push(`${schedule.worker} (${schedule.cron}) ${at.toISOString().slice(11)}`)
    return outcome(schedule, at)
  }
  stop = keepSchedules(schedules, call, (line) => errors.push(line))
  return calls
}

const pass = (minutes: number) => vi.advanceTimersByTimeAsync(minutes * MINUTE_MS)

describe('the crons of a local run', () => {
  it('are those that the three Workers declare, each called at its minutes', async () => {
    const schedules = localSchedules()
    expect(schedules).toContainEqual(everyMinute)
    const calls = called(schedules)

    await pass(24 * 60)

    const uncalled = schedules.filter(
      ({ worker, cron }) => !calls.some((call) => call.startsWith(`${worker} (${cron}) `)),
    )
    expect(uncalled).toEqual([])
    expect(calls.filter((call) => call.startsWith('consumers (* * * * *) '))).toHaveLength(24 * 60)
    expect(errors).toEqual([])
  })

  it('are called with their minute, and not before it', async () => {
    const calls = called([
      everyMinute,
      { worker: 'gateway', cron: '*/2 * * * *' },
      { worker: 'callbacks', cron: '0 0 * * 2' },
    ])
    await vi.advanceTimersByTimeAsync(39_400)
    expect(calls).toEqual([])
    await pass(3)
    expect(calls).toEqual([
      'consumers (* * * * *) 23:58:00.000Z',
      'gateway (*/2 * * * *) 23:58:00.000Z',
      'consumers (* * * * *) 23:59:00.000Z',
      'consumers (* * * * *) 00:00:00.000Z',
      'gateway (*/2 * * * *) 00:00:00.000Z',
      // 30 November 2026 is a Monday.
      'callbacks (0 0 * * 2) 00:00:00.000Z',
    ])
  })

  it('are left out while their last call goes on, which is told; the others go on', async () => {
    const slow: Schedule = { worker: 'slow', cron: '* * * * *' }
    const takeLong: CallOnSchedule = ({ worker }) =>
      new Promise((resolve) => setTimeout(resolve, worker === 'slow' ? 2.5 * MINUTE_MS : 0, 'ok'))
    const calls = called([slow, everyMinute], takeLong)

    await pass(4)

    expect(calls.filter((call) => call.startsWith('slow'))).toEqual([
      'slow (* * * * *) 23:58:00.000Z',
      'slow (* * * * *) 00:01:00.000Z',
    ])
    expect(calls.filter((call) => call.startsWith('consumers'))).toHaveLength(4)
    const leftOut = 'The cron "* * * * *" of slow is left out, since its last call goes on.'
    expect(errors).toEqual([leftOut, leftOut])
  })

  it('are called once in a minute, though the clock is set back', async () => {
    const calls = called([everyMinute])
    await pass(1)
    vi.setSystemTime(Date.parse('2026-11-29T23:57:59.500Z'))
    await pass(1)
    expect(calls).toEqual(['consumers (* * * * *) 23:58:00.000Z'])
    await pass(1)
    expect(calls).toHaveLength(2)
  })

  it('go on after a call that failed, which is told', async () => {
    const outcomes = [Promise.reject(new Error('nobody answers')), Promise.resolve('exception')]
    for (const outcome of outcomes) outcome.catch(() => undefined)
    const calls = called([everyMinute], () => outcomes.shift() ?? Promise.resolve('ok'))

    await pass(3)

    expect(calls).toHaveLength(3)
    expect(errors).toEqual([
      'The cron "* * * * *" of consumers failed: Error: nobody answers',
      'The cron "* * * * *" of consumers failed: exception',
    ])
  })

  it('are over when they are stopped', async () => {
    const calls = called([everyMinute])
    await pass(1)
    stop()
    await pass(5)
    expect(calls).toHaveLength(1)
  })
})
