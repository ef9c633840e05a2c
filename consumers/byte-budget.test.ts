import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { ByteBudget } from './byte-budget.ts'

beforeEach(() => void vi.useFakeTimers())
afterEach(() => void vi.useRealTimers())

const newBudget = (capacity: number) => new ByteBudget(capacity, Date.now)
const never = new AbortController().signal

/** A holder that holds until it is told to let go. */
function holder(budget: ByteBudget, bytes: number, { longestMs = 60_000, signal = never } = {}) {
  const state = { runs: false, letGo: () => {}, done: Promise.resolve() }
  const end = new Promise<void>((resolve) => {
    state.letGo = resolve
  })
  state.done = budget.hold(bytes, longestMs, signal, () => {
    state.runs = true
    return end
  })
  return state
}

const pass = (ms = 200) => vi.advanceTimersByTimeAsync(ms)

describe('a budget of bytes', () => {
  it('lets run side by side what fits together', async () => {
    const budget = newBudget(10)
    const [one, other] = [holder(budget, 6), holder(budget, 4)]
    await pass()

    expect([one.runs, other.runs]).toEqual([true, true])
  })

  it('lets wait what does not fit, in order of arrival', async () => {
    const budget = newBudget(10)
    const [one, large, small] = [holder(budget, 6), holder(budget, 9), holder(budget, 1)]
    await pass()
    expect([one.runs, large.runs, small.runs]).toEqual([true, false, false])

    one.letGo()
    await pass()

    expect([large.runs, small.runs]).toEqual([true, true])
  })

  it('lets run alone what is larger than all there is', async () => {
    const budget = newBudget(10)
    const [large, small] = [holder(budget, 99), holder(budget, 1)]
    await pass()
    expect([large.runs, small.runs]).toEqual([true, false])

    large.letGo()
    await pass()

    expect(small.runs).toBe(true)
  })

  it('keeps nobody waiting who needs no bytes', async () => {
    const budget = newBudget(10)
    holder(budget, 10)
    const none = holder(budget, 0)
    await pass(0)

    expect(none.runs).toBe(true)
  })

  it('is taken until it is let go', async () => {
    const budget = newBudget(10)
    const letGo = await budget.take(6, 60_000, never)
    const next = holder(budget, 6)
    await pass()
    expect(next.runs).toBe(false)

    letGo()
    await pass()

    expect(next.runs).toBe(true)
  })

  it('is not taken by who has stopped waiting, even where it is free', async () => {
    const stopped = AbortSignal.abort(new Error('lost'))

    await expect(newBudget(10).take(1, 1000, stopped)).rejects.toThrow('lost')
  })

  it('is free again after a body that failed', async () => {
    const budget = newBudget(10)
    await expect(budget.hold(10, 1000, never, () => Promise.reject(new Error('no')))).rejects.toThrow('no')
    const next = holder(budget, 10)
    await pass()

    expect(next.runs).toBe(true)
  })

  it('is free again when the longest time of a holder that never let go has passed', async () => {
    const budget = newBudget(10)
    holder(budget, 10, { longestMs: 3000 })
    const next = holder(budget, 10)
    await pass(2900)
    expect(next.runs).toBe(false)

    await pass(300)

    expect(next.runs).toBe(true)
  })

  it('rejects who waits when its signal aborts, and lets the next have its place', async () => {
    const budget = newBudget(10)
    const stop = new AbortController()
    const one = holder(budget, 6)
    const waiting = holder(budget, 9, { signal: stop.signal })
    const next = holder(budget, 4)
    const rejected = expect(waiting.done).rejects.toThrow('lost')
    await pass()
    expect([one.runs, next.runs]).toEqual([true, false])

    stop.abort(new Error('lost'))
    await pass()

    await rejected
    expect([waiting.runs, next.runs]).toEqual([false, true])
  })
})
