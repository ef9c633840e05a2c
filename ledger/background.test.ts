import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { Background } from './background.ts'

const TIMEOUT_MS = 60_000
const SECOND = 1000

const said: string[] = []

beforeEach(() => {
  vi.useFakeTimers({ now: 0 })
  said.length = 0
  vi.spyOn(console, 'log').mockImplementation((line: string) => void said.push(line))
})
afterEach(() => {
  vi.useRealTimers()
  vi.restoreAllMocks()
})

const failing = () => Promise.reject(new Error('away'))
const hanging = () => new Promise<void>(() => undefined)

describe('work in the background', () => {
  it('runs once at a time', async () => {
    const background = new Background('x.failed', TIMEOUT_MS)
    const work = vi.fn(hanging)

    background.start(0, work)
    background.start(1, work)

    expect(work).toHaveBeenCalledTimes(1)
    expect(background.nextAt(null, 1)).toBe(1 + 5 * SECOND)
  })

  it('is not wedged by a run that hangs', async () => {
    const background = new Background('x.failed', TIMEOUT_MS)
    background.start(0, hanging)
    await vi.advanceTimersByTimeAsync(TIMEOUT_MS)
    const work = vi.fn(async () => undefined)

    background.start(TIMEOUT_MS + 5 * SECOND, work)

    expect(work).toHaveBeenCalledTimes(1)
  })

  it('pauses for longer and longer while it fails, for five minutes at most, and begins anew after a success', async () => {
    const background = new Background('x.failed', TIMEOUT_MS)
    const pauses: number[] = []
    for (let failures = 0; failures < 8; failures++) {
      background.start(Date.now(), failing)
      await vi.advanceTimersByTimeAsync(0)
      const next = background.nextAt(0, Date.now()) ?? 0
      pauses.push((next - Date.now()) / SECOND)
      vi.setSystemTime(next)
    }
    background.start(Date.now(), async () => undefined)
    await vi.advanceTimersByTimeAsync(0)
    background.start(Date.now(), failing)
    await vi.advanceTimersByTimeAsync(0)

    expect(pauses).toEqual([5, 10, 20, 40, 80, 160, 300, 300])
    expect(background.nextAt(0, Date.now())).toBe(Date.now() + 5 * SECOND)
  })

  it('tells of a failure by the name of the error alone', async () => {
    const background = new Background('x.failed', TIMEOUT_MS)
    background.start(0, failing)
    await vi.advanceTimersByTimeAsync(0)

    expect(said).toEqual(['{"event":"x.failed","error":"Error"}'])
  })

  it('has nothing to look for when nothing is due and nothing runs', () => {
    const background = new Background('x.failed', TIMEOUT_MS)

    expect([background.nextAt(null, 5), background.nextAt(7, 5)]).toEqual([null, 7])
  })
})
