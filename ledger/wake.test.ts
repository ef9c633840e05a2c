import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { Wake } from './wake.ts'

const now = 1_000_000
/** An alarm for this very moment could be lost. */
const SOONEST_MS = 10

/** Storage with one alarm, as a Durable Object has it. */
class FakeStorage {
  alarm: number | null = null
  sets = 0

  async getAlarm() {
    return this.alarm
  }

  async setAlarm(at: number | Date) {
    this.sets++
    this.alarm = Number(at)
  }

  async deleteAlarm() {
    this.alarm = null
  }
}

function newWake() {
  const storage = new FakeStorage()
  return { storage, wake: new Wake(storage) }
}

beforeEach(() => {
  vi.useFakeTimers({ now })
})
afterEach(() => {
  vi.useRealTimers()
})

describe('the alarm', () => {
  it('is set to the earliest time that was asked for', () => {
    const { storage, wake } = newWake()
    for (const at of [now + 500, now + 900, now + 200, now + 300]) wake.by(at)

    expect([storage.alarm, storage.sets]).toEqual([now + 200, 2])
  })

  it.each([now - 5000, now, now + SOONEST_MS - 1])('never is set for now or the past: %i', (at) => {
    const { storage, wake } = newWake()
    wake.by(at)

    expect(storage.alarm).toBe(now + SOONEST_MS)
  })

  it('is not put off by asking again for a time that has passed', () => {
    const { storage, wake } = newWake()
    wake.by(now - 5000)
    vi.setSystemTime(now + 5)
    wake.by(now - 5000)

    expect([storage.alarm, storage.sets]).toEqual([now + SOONEST_MS, 1])
  })

  it('that an earlier life has set is known once it is loaded', async () => {
    const { storage, wake } = newWake()
    storage.alarm = now + 300
    expect(wake.isSet).toBe(false)

    await wake.load()
    wake.by(now + 400)

    expect([wake.isSet, storage.sets]).toEqual([true, 0])
  })

  it('can be set again once it has fired', () => {
    const { storage, wake } = newWake()
    wake.by(now + 200)
    wake.fired()
    expect(wake.isSet).toBe(false)

    wake.by(now + 900)

    expect(storage.alarm).toBe(now + 900)
  })
})

describe('the alarm after its work', () => {
  it.each([
    ['is set to exactly the next time', now + 900, now + 900],
    ['is not set for this very moment', now - 1, now + SOONEST_MS],
  ])('%s', async (_, at, expected) => {
    const { storage, wake } = newWake()
    await wake.only(at)

    expect(storage.alarm).toBe(expected)
    expect(wake.isSet).toBe(true)
  })

  it('is not set when nothing is due', async () => {
    const { storage, wake } = newWake()
    await wake.only(null)

    expect([storage.alarm, wake.isSet]).toEqual([null, false])
  })
})

describe('the earliest deadline', () => {
  it('is set as the alarm, and kept without a look', () => {
    const { storage, wake } = newWake()
    const read = vi.fn(() => null)
    for (const at of [now + 900, now + 300, now + 600]) wake.deadline(at)

    expect(wake.nextDeadline(now, read)).toBe(now + 300)
    expect(storage.alarm).toBe(now + 300)
    expect(read).not.toHaveBeenCalled()
  })

  it('is read afresh once it has passed', () => {
    const { wake } = newWake()
    const read = vi.fn(() => now + 900)
    wake.deadline(now + 300)

    expect(wake.nextDeadline(now + 300, read)).toBe(now + 900)
    expect(wake.nextDeadline(now + 400, read)).toBe(now + 900)
    expect(read).toHaveBeenCalledOnce()
  })

  it('is read when it is not known, and null when no job is open', () => {
    const { wake } = newWake()

    expect(wake.nextDeadline(now, () => now + 700)).toBe(now + 700)
    expect(newWake().wake.nextDeadline(now, () => null)).toBeNull()
  })
})
