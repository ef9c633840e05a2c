import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { MicroBatch } from './micro-batch.ts'

const WINDOW_MS = 50

beforeEach(() => {
  vi.useFakeTimers()
})
afterEach(() => {
  vi.useRealTimers()
})

/** A batch whose calls answer each item with its double. */
function newBatch() {
  const calls: number[][] = []
  const batch = new MicroBatch<number, number>(WINDOW_MS, async (items) => {
    calls.push(items)
    return items.map((item) => item * 2)
  })
  return { calls, batch }
}

describe('a micro-batch', () => {
  it('makes one call of what comes within its time, and gives each caller its own answer', async () => {
    const { calls, batch } = newBatch()
    const first = batch.add(1)
    await vi.advanceTimersByTimeAsync(WINDOW_MS - 1)
    const others = [batch.add(2), batch.add(3)]
    expect(calls).toEqual([])

    await vi.advanceTimersByTimeAsync(1)

    expect(calls).toEqual([[1, 2, 3]])
    expect(await Promise.all([first, ...others])).toEqual([2, 4, 6])
  })

  it('makes another call of what comes later', async () => {
    const { calls, batch } = newBatch()
    const first = batch.add(1)
    await vi.advanceTimersByTimeAsync(WINDOW_MS)
    const second = batch.add(2)
    await vi.advanceTimersByTimeAsync(WINDOW_MS)

    expect(calls).toEqual([[1], [2]])
    expect(await Promise.all([first, second])).toEqual([2, 4])
  })

  it('does not wait for a call that is under way', async () => {
    const calls: number[][] = []
    const batch = new MicroBatch<number, number>(WINDOW_MS, (items) => {
      calls.push(items)
      return new Promise(() => undefined)
    })
    void batch.add(1)
    await vi.advanceTimersByTimeAsync(WINDOW_MS)
    void batch.add(2)
    await vi.advanceTimersByTimeAsync(WINDOW_MS)

    expect(calls).toEqual([[1], [2]])
  })

  it('tells every caller of a call that fails, and goes on', async () => {
    const answers = [() => Promise.reject(new Error('The ledger is away.')), async () => [4]]
    const batch = new MicroBatch<number, number>(WINDOW_MS, () => answers.shift()?.() ?? Promise.resolve([]))
    const failing = Promise.allSettled([batch.add(1), batch.add(2)])
    await vi.advanceTimersByTimeAsync(WINDOW_MS)
    const next = batch.add(2)
    await vi.advanceTimersByTimeAsync(WINDOW_MS)

    expect((await failing).map(({ status }) => status)).toEqual(['rejected', 'rejected'])
    expect(await next).toBe(4)
  })

  it('tells a caller whose answer is missing, and only that one', async () => {
    const batch = new MicroBatch<number, number>(WINDOW_MS, async (items) => items.slice(1))
    const settled = Promise.allSettled([batch.add(1), batch.add(2)])
    await vi.advanceTimersByTimeAsync(WINDOW_MS)

    expect(await settled).toMatchObject([{ status: 'fulfilled', value: 2 }, { status: 'rejected' }])
  })
})
