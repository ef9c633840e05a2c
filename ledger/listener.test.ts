import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { Listener } from './listener.ts'

const start = 1_000_000
const EVERY_MS = 10_000
/** How long a directory that does not answer is waited for. */
const PATIENCE_MS = 3000

/** A listener, and a directory that answers when it is told to. */
function listening() {
  const [ask, onInformed] = [vi.fn<() => Promise<void>>(), vi.fn()]
  const readings: PromiseWithResolvers<void>[] = []
  ask.mockImplementation(() => {
    const reading = Promise.withResolvers<void>()
    readings.push(reading)
    return reading.promise
  })
  const settled = () => vi.advanceTimersByTimeAsync(0)
  const answer = () => {
    readings.at(-1)?.resolve()
    return settled()
  }
  const fail = () => {
    readings.at(-1)?.reject(new Error('D1_ERROR'))
    return settled()
  }
  return { listener: new Listener({ ask, everyMs: EVERY_MS, onInformed }), ask, onInformed, answer, fail }
}

beforeEach(() => {
  vi.useFakeTimers({ now: start })
  vi.spyOn(console, 'log').mockImplementation(() => undefined)
})
afterEach(() => {
  vi.useRealTimers()
  vi.restoreAllMocks()
})

describe('the directory', () => {
  it('is read no more often than it is time to', async () => {
    const { listener, ask, answer } = listening()

    listener.listen(start)
    await answer()
    listener.listen(start + EVERY_MS - 1)
    expect(ask).toHaveBeenCalledTimes(1)
    listener.listen(start + EVERY_MS)

    expect(ask).toHaveBeenCalledTimes(2)
    expect(listener.nextAt).toBe(start + 2 * EVERY_MS)
  })

  it('is read once for all who want to know something', async () => {
    const { listener, ask, answer } = listening()

    listener.listen(start)
    const known = [listener.knowsOrders(start), listener.knowsStanding(start)]
    const waiting = [listener.hearStanding(start), listener.hearStanding(start)]
    await answer()
    await Promise.all(waiting)
    await listener.hearStanding(start)

    expect(known).toEqual([false, false])
    expect(ask).toHaveBeenCalledTimes(1)
    expect([listener.knowsOrders(start), listener.knowsStanding(start)]).toEqual([true, true])
  })

  it('is not asked about what has come in another way', async () => {
    const { listener, ask } = listening()

    listener.heardOrders()
    listener.heardStanding()
    await listener.hearStanding(start)

    expect([listener.knowsOrders(start), listener.knowsStanding(start)]).toEqual([true, true])
    expect(ask).not.toHaveBeenCalled()
  })

  it('is asked how the tenant stands though orders have come', async () => {
    const { listener, ask } = listening()

    listener.heardOrders()

    expect(listener.knowsStanding(start)).toBe(false)
    expect(ask).toHaveBeenCalledTimes(1)
  })
})

describe('what has been held back', () => {
  it('goes on when the directory has been heard, and nothing does where nothing has', async () => {
    const [held, idle] = [listening(), listening()]

    held.listener.knowsStanding(start)
    idle.listener.listen(start)
    await held.answer()
    await idle.answer()

    expect(held.onInformed).toHaveBeenCalledOnce()
    expect(idle.onInformed).not.toHaveBeenCalled()
  })

  it('goes on when orders are all that it waits for', async () => {
    const { listener, onInformed, answer } = listening()

    listener.heardStanding()
    expect(listener.knowsOrders(start)).toBe(false)
    await answer()

    expect(onInformed).toHaveBeenCalledOnce()
    expect(listener.knowsOrders(start)).toBe(true)
  })

  it('goes on when the directory fails', async () => {
    const { listener, onInformed, fail } = listening()

    listener.knowsStanding(start)
    await fail()

    expect(onInformed).toHaveBeenCalledOnce()
    expect([listener.knowsOrders(start), listener.knowsStanding(start)]).toEqual([true, true])
  })

  it('goes on when the directory does not answer in time', async () => {
    const { listener, onInformed } = listening()

    listener.knowsStanding(start)
    await vi.advanceTimersByTimeAsync(PATIENCE_MS)

    expect(onInformed).toHaveBeenCalledOnce()
    expect(listener.knowsStanding(start)).toBe(true)
  })

  it('asks once more where the directory had failed before anything was to be let out', async () => {
    const { listener, ask, fail } = listening()

    listener.listen(start)
    await fail()

    expect(listener.knowsStanding(start)).toBe(false)
    expect(ask).toHaveBeenCalledTimes(2)
  })
})
