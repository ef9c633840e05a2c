import { describe, expect, it } from 'vitest'
import { Pace } from './pace.ts'

describe('the pace of an endpoint', () => {
  it('is never more than it wants in any second', () => {
    const pace = new Pace()
    const sent: number[] = []
    for (let now = 0; now < 10_000; now += 130) {
      const count = Math.min(2, pace.left('a', 3, now))
      pace.take('a', 3, count, now)
      sent.push(...new Array<number>(count).fill(now))
    }

    const within = (from: number) => sent.filter((at) => at >= from && at < from + 1000).length
    expect(Math.max(...sent.map(within))).toBe(3)
    expect(sent.length).toBeGreaterThan(24)
  })

  it('says when the next may go', () => {
    const pace = new Pace()
    expect(pace.freeAt('a', 2, 100)).toBe(100)
    pace.take('a', 2, 1, 100)
    pace.take('a', 2, 1, 400)

    expect([pace.freeAt('a', 2, 500), pace.left('a', 2, 500)]).toEqual([1100, 0])
    expect([pace.freeAt('a', 2, 1100), pace.left('a', 2, 1100)]).toEqual([1100, 1])
  })

  it('that was lowered waits for all that is above it', () => {
    const pace = new Pace()
    for (const at of [0, 100, 200]) pace.take('a', 3, 1, at)

    expect(pace.freeAt('a', 1, 300)).toBe(1200)
  })

  it('is free without a limit, and each endpoint has its own', () => {
    const pace = new Pace()
    pace.take('a', null, 1000, 0)
    pace.take('b', 1, 1, 0)

    expect([pace.left('a', null, 0), pace.freeAt('a', null, 0)]).toEqual([Number.POSITIVE_INFINITY, 0])
    expect([pace.left('a', 1, 0), pace.left('b', 1, 0)]).toEqual([1, 0])
  })
})
