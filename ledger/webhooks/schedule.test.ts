import { describe, expect, it } from 'vitest'
import { deliveryDelays, nextDeliveryDelay } from './schedule.ts'

const [second, minute, hour] = [1000, 60_000, 3_600_000]

const delays = [
  [0, 0],
  [1, 5 * second],
  [2, 5 * minute],
  [3, 30 * minute],
  [4, 2 * hour],
  [5, 5 * hour],
  [6, 10 * hour],
  [7, 14 * hour],
  [8, 20 * hour],
  [9, 24 * hour],
] as const

describe('a webhook delivery', () => {
  it.each(delays)('after %i failed attempts waits %i ms, at most a tenth longer', (attempts, delay) => {
    expect(nextDeliveryDelay(attempts, () => 0)).toBe(delay)
    expect(nextDeliveryDelay(attempts, () => 0.5)).toBe(delay * 1.05)
    expect(nextDeliveryDelay(attempts, () => 1)).toBe(Math.round(delay * 1.1))
  })

  it('is given up after the tenth attempt, a good three days on', () => {
    const total = deliveryDelays.reduce<number>((sum, delay) => sum + delay, 0)

    expect(nextDeliveryDelay(delays.length, () => 0)).toBeNull()
    expect(total).toBe(75 * hour + 35 * minute + 5 * second)
  })
})
