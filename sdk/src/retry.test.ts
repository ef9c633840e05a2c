import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { defaultPolicy, type Outcome, pauseBeforeRetry } from './retry.ts'

const answered = (status: number | null, more: Partial<Outcome> = {}): Outcome => ({
  status,
  slug: null,
  retryAfterMs: null,
  ...more,
})
const pauseAfter = (attempts: number, outcome: Outcome, random = 0.5) =>
  pauseBeforeRetry(attempts, outcome, defaultPolicy, () => random)

describe('a request', () => {
  it.each([null, 408, 429, 500, 502, 503, 504])('is sent again after %s', (status) => {
    expect(pauseAfter(1, answered(status))).toBe(250)
  })

  it.each([200, 202, 204, 304, 400, 401, 402, 403, 404, 405, 409, 410, 411, 413, 415, 422, 501])(
    'is not sent again after %i',
    (status) => {
      expect(pauseAfter(1, answered(status))).toBeNull()
    },
  )

  it.each([
    ['idempotency-in-progress', 250],
    ['duplicate-items', null],
    ['job-settled', null],
  ])('is sent again after 409 only where the first is still running (%s)', (slug, pause) => {
    expect(pauseAfter(1, answered(409, { slug }))).toBe(pause)
  })

  it('is sent again four times, after pauses that double at their longest', () => {
    const pauses = [1, 2, 3, 4, 5].map((attempts) => pauseAfter(attempts, answered(503), 1))

    expect(pauses).toEqual([500, 1000, 2000, 4000, null])
  })

  it('waits as long as it is asked to, and a little at random', () => {
    expect(pauseAfter(1, answered(429, { retryAfterMs: 7000 }), 0)).toBe(7000)
    expect(pauseAfter(1, answered(429, { retryAfterMs: 7000 }), 0.5)).toBe(7250)
    expect(pauseAfter(1, answered(503, { retryAfterMs: 0 }), 0)).toBe(0)
  })

  it('is given back when it is asked to wait for longer than it may', () => {
    expect(pauseAfter(1, answered(503, { retryAfterMs: 60_000 }), 0)).toBe(60_000)
    expect(pauseAfter(1, answered(503, { retryAfterMs: 60_001 }), 0)).toBeNull()
  })

  it('never comes earlier than asked, nor later than the bounds', () => {
    const outcomes = fc.record({
      status: fc.constantFrom(null, 408, 429, 500, 503),
      slug: fc.constant(null),
      retryAfterMs: fc.option(fc.nat(100_000)),
    })
    const randoms = fc.double({ min: 0, max: 1, maxExcluded: true, noNaN: true })
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 10 }), outcomes, randoms, (attempts, outcome, random) => {
        const pause = pauseAfter(attempts, outcome, random)
        if (pause === null) return attempts > 4 || (outcome.retryAfterMs ?? 0) > defaultPolicy.capMs
        return pause >= (outcome.retryAfterMs ?? 0) && pause <= defaultPolicy.capMs + defaultPolicy.baseMs
      }),
    )
  })
})
