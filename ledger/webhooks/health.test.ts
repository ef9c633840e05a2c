import { describe, expect, it } from 'vitest'
import type { Exchanged } from './exchange.ts'
import { afterAttempt, calledFor, type Health, healthy, isOnTrial, withoutPause } from './health.ts'

const now = 10_000_000
const [minute, hour] = [60_000, 3_600_000]

/** An attempt that was made at `at` and answered with this status; null for no answer. */
function answered(
  status_code: number | null,
  { at = now, retryAfterMs = null as number | null } = {},
): Exchanged {
  const error = status_code !== null && status_code < 300 ? null : 'http_status'
  const attempt = { at, status_code, error, latency_ms: 1, response_excerpt: null, response_truncated: false }
  return { attempt, retryAfterMs }
}

const failing: Health = { ...healthy, failures: 3, failingSince: now - hour }
const paused: Health = { ...failing, failures: 12, pauseMs: 20_000, pausedUntil: now }

describe('an endpoint that does well', () => {
  it('is left as it is by a success', () => {
    expect(afterAttempt(healthy, answered(204), now)).toBe(healthy)
  })

  it.each([400, 404, 410, 500, null])('counts a failure with %s, and is not slowed', (status) => {
    const health = afterAttempt(healthy, answered(status, { at: now - 40 }), now)

    expect(health).toEqual({ ...healthy, failures: 1, failingSince: now - 40 })
  })

  it.each([429, 502, 503, 504])('is paused by a %i, and on trial after', (status) => {
    const health = afterAttempt(healthy, answered(status), now)

    expect(health).toMatchObject({ failures: 1, pauseMs: 5000, pausedUntil: now + 5000 })
    expect(isOnTrial(health)).toBe(true)
  })

  it.each([
    [429, 90_000, now + 90_000],
    [503, 2000, now + 5000],
    [500, 2000, now + 2000],
    [404, 24 * hour, now + 24 * hour],
  ])('is paused by a %i with a Retry-After of %i ms until %i', (status, retryAfterMs, pausedUntil) => {
    const health = afterAttempt(healthy, answered(status, { retryAfterMs }), now)

    expect(health).toMatchObject({ pauseMs: 5000, pausedUntil })
  })

  it('is paused by the tenth failure in a row, not by the ninth', () => {
    const states = [healthy]
    for (let at = 0; at < 10; at++) states.push(afterAttempt(states[at] ?? healthy, answered(500), now + at))

    expect(states.map(({ pausedUntil }) => pausedUntil)).toEqual([
      ...new Array(10).fill(null),
      now + 9 + 5000,
    ])
  })
})

describe('an endpoint that fails', () => {
  it('has the time of the first failure', () => {
    expect(afterAttempt(failing, answered(500), now).failingSince).toBe(failing.failingSince)
  })

  it.each([
    ['was failing', failing],
    ['was paused, the attempt having begun after', paused],
    ['was warned about', { ...paused, warnedAt: now - hour }],
  ])('is well after one success when it %s', (_, health) => {
    expect(afterAttempt(health, answered(200), now)).toEqual(healthy)
  })

  it('still takes nothing of what was before it was enabled once it is well', () => {
    expect(afterAttempt({ ...failing, since: now - hour }, answered(200), now)).toEqual({
      ...healthy,
      since: now - hour,
    })
  })
})

describe('a pause', () => {
  it('doubles with each trial that fails, up to five minutes', () => {
    const pauses: number[] = []
    for (let health = paused; pauses.length < 6; pauses.push(health.pauseMs))
      health = afterAttempt(health, answered(500, { at: health.pausedUntil ?? 0 }), health.pausedUntil ?? 0)

    expect(pauses).toEqual([40_000, 80_000, 160_000, 5 * minute, 5 * minute, 5 * minute])
  })

  it('is not longer for failures that were under way when it began', () => {
    const health = afterAttempt({ ...paused, pausedUntil: now + 5000 }, answered(503), now)

    expect(health).toMatchObject({ failures: 13, pauseMs: 20_000, pausedUntil: now + 5000 })
  })

  it('does not end with a success that was under way when it began', () => {
    const health = afterAttempt({ ...paused, pausedUntil: now + 5000 }, answered(200), now)

    expect(health).toEqual({ ...healthy, pauseMs: 20_000, pausedUntil: now + 5000 })
  })

  it('grows by what a late answer asks for', () => {
    const late = answered(503, { retryAfterMs: minute })

    expect(afterAttempt({ ...paused, pausedUntil: now + 5000 }, late, now).pausedUntil).toBe(now + minute)
  })

  it('is not shortened by a late answer that asks for less', () => {
    const late = answered(503, { retryAfterMs: 1000 })

    expect(afterAttempt({ ...paused, pausedUntil: now + minute }, late, now).pausedUntil).toBe(now + minute)
  })

  it('ends at a word, but the trial stays', () => {
    const health = withoutPause({ ...paused, pausedUntil: now + hour })

    expect([health.pausedUntil, isOnTrial(health)]).toEqual([null, true])
    expect(withoutPause(healthy)).toBe(healthy)
  })
})

describe('a run of failures', () => {
  const since = (hours: number, warnedHoursAgo: number | null): Health => ({
    ...failing,
    failingSince: now - hours * hour,
    warnedAt: warnedHoursAgo === null ? null : now - warnedHoursAgo * hour,
  })

  it.each([
    ['nothing while it does well', healthy, 'nothing'],
    ['nothing within a day', since(23.9, null), 'nothing'],
    ['a warning after a day', since(24, null), 'warn'],
    ['one warning only', since(25, 1), 'nothing'],
    ['nothing just before five days', since(119.9, 95), 'nothing'],
    ['an end after five days', since(120, 96), 'disable'],
    ['a warning first, however late', since(1000, null), 'warn'],
    ['no end within a day of the warning', since(1000, 23.9), 'nothing'],
    ['an end a day after a late warning', since(1000, 24), 'disable'],
  ])('calls for %s', (_, health, call) => {
    expect(calledFor(health, now)).toBe(call)
  })
})
