import { describe, expect, it } from 'vitest'
import { Room } from './room.ts'

describe('a ledger', () => {
  it.each([
    [0, false],
    [7_999_999_999, false],
    [8_000_000_000, true],
    [12_000_000_000, true],
  ])('of %i bytes is full: %s', (bytes, full) => {
    expect(new Room(() => bytes).isFull(0)).toBe(full)
  })

  it('is measured at most every five seconds', () => {
    const sizes = [9e9, 1e9, 9e9]
    const room = new Room(() => sizes.shift() ?? 0)

    expect([0, 1, 4999, 5000, 9999, 10_000].map((now) => room.isFull(now))).toEqual([
      true,
      true,
      true,
      false,
      false,
      true,
    ])
    expect(sizes).toEqual([])
  })
})
