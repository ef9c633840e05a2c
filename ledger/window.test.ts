import { describe, expect, it } from 'vitest'
import { Window, type WindowState } from './window.ts'

const start = 1_700_000_000_000
const minute = 60_000

/** Deterministic numbers from 0 to 1 (mulberry32). */
function seeded(seed: number) {
  let state = seed
  return () => {
    state = (state + 0x6d2b79f5) | 0
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32
  }
}

interface Take {
  readonly at: number
  readonly granted: number
}

/** Takes at random moments: bursts of a few milliseconds, pauses of up to a minute and a half. */
function randomTakes(window: Window, seed: number): Take[] {
  const random = seeded(seed)
  const takes: Take[] = []
  for (let at = start; takes.length < 600; at += Math.floor(random() ** 6 * 90_000)) {
    const wanted = Math.ceil(random() ** 2 * (window.limit / 3))
    takes.push({ at, granted: window.take(wanted, at) })
  }
  return takes
}

/** The same, of a ledger that is evicted now and then, and comes back with what was last worth writing. */
function evictedTakes(limit: number, seed: number, evicted: number): Take[] {
  const random = seeded(seed)
  const takes: Take[] = []
  let window = new Window(limit, start, 'fresh')
  let written: WindowState | 'unknown' = 'unknown'
  for (let at = start; takes.length < 300; at += Math.floor(random() ** 6 * 90_000)) {
    takes.push({ at, granted: window.take(Math.ceil(random() ** 2 * (limit / 3)), at) })
    written = window.worthWriting() ?? written
    if (random() < evicted) window = new Window(limit, at, written)
  }
  return takes
}

/** The most that was granted in any 60 seconds. */
const mostInAMinute = (takes: Take[]) =>
  Math.max(
    ...takes.map(({ at: end }) =>
      takes.filter(({ at }) => at > end - minute && at <= end).reduce((sum, { granted }) => sum + granted, 0),
    ),
  )

describe('a window', () => {
  it.each([1, 3, 10, 60, 250])('of %i never grants more in any 60 seconds, yet grants that many', (limit) => {
    for (let seed = 1; seed <= 20; seed++) {
      const takes = randomTakes(new Window(limit, start, 'fresh'), seed)

      expect(mostInAMinute(takes)).toBe(limit)
    }
  })

  it('grants what is left when more is wanted', () => {
    const window = new Window(10, start, 'fresh')

    expect([window.take(7, start), window.take(7, start), window.take(7, start)]).toEqual([7, 3, 0])
  })

  it('gives a unit back 61 seconds after the second in which it was taken', () => {
    const window = new Window(2, start, 'fresh')
    window.take(1, start + 999)
    window.take(1, start + 30_000)

    expect(window.nextFreeAt(start + 30_000)).toBe(start + 61_000)
    expect(window.available(start + 60_999)).toBe(0)
    expect(window.available(start + 61_000)).toBe(1)
    expect(window.nextFreeAt(start + 61_000)).toBe(start + 91_000)
    expect(window.available(start + 10 * minute)).toBe(2)
    expect(window.nextFreeAt(start + 10 * minute)).toBe(start + 10 * minute)
  })

  it('counts on when the clock goes back', () => {
    const window = new Window(2, start, 'fresh')
    window.take(1, start)
    window.take(1, start - 30_000)

    expect(window.available(start + 59_999)).toBe(0)
  })

  it('follows a limit that changes', () => {
    const window = new Window(10, start, 'fresh')
    window.take(8, start)

    window.limit = 5
    expect(window.take(1, start)).toBe(0)

    window.limit = 12
    expect(window.take(9, start)).toBe(4)
  })
})

describe('room for several units together', () => {
  it.each([
    [40, 0],
    [41, 61],
    [90, 61],
    [91, 71],
    [100, 71],
    [500, 71],
  ])(
    'of %i in a window of 100, with 50 taken at once and 10 ten seconds later, comes after %i seconds',
    (wanted, seconds) => {
      const window = new Window(100, start, 'fresh')
      window.take(50, start)
      const now = start + 10_000
      window.take(10, now)

      const freeAt = window.freeAt(wanted, now)

      expect(freeAt).toBe(seconds === 0 ? now : start + seconds * 1000)
    },
  )
})

describe('the state of a window', () => {
  it.each([
    [10, 4, 5],
    [100, 49, 50],
    [1, 0, 1],
    [3, 1, 2],
  ])('of %i is worth writing from half on: not at %i, but at %i', (limit, below, half) => {
    const [under, over] = [new Window(limit, start, 'fresh'), new Window(limit, start, 'fresh')]
    under.take(below, start)
    over.take(half, start)

    expect(under.worthWriting()).toBeNull()
    expect(over.worthWriting()).not.toBeNull()
  })

  it('is worth writing again at each further tenth of the limit', () => {
    const window = new Window(100, start, 'fresh')
    window.take(50, start)
    const written = [window.worthWriting()]
    for (const more of [9, 1, 9, 1]) {
      window.take(more, start)
      written.push(window.worthWriting())
    }

    expect(written.map((state) => state !== null)).toEqual([true, false, true, false, true])
  })

  it.each([
    ['at once', 0, 0],
    ['half a minute later', 30_999, 0],
    ['when the first of it has run out', 31_000, 4],
    ['long after', 10 * minute, 6],
  ])('is taken up again %s', (_, pause, free) => {
    const window = new Window(10, start - 30_000, 'fresh')
    window.take(4, start - 30_000)
    window.take(6, start)
    const state = window.worthWriting() ?? 'fresh'

    expect(new Window(10, start + pause, state).available(start + pause)).toBe(free)
  })

  it.each([1, 3, 10, 60, 250])('keeps a limit of %i over evictions at any moment', (limit) => {
    for (let seed = 1; seed <= 40; seed++)
      for (const evicted of [0.1, 0.6])
        expect(mostInAMinute(evictedTakes(limit, seed, evicted))).toBeLessThanOrEqual(limit)
  })

  it('counts just under a tenth more after an eviction, and just under a hundredth after others in that minute', () => {
    let window = new Window(1000, start, 'fresh')
    window.take(500, start)
    let written: WindowState | 'fresh' = window.worthWriting() ?? 'fresh'
    const used = Array.from({ length: 10 }, () => {
      window = new Window(1000, start, written)
      window.take(1, start)
      written = window.worthWriting() ?? written
      return 1000 - window.available(start)
    })

    expect(used).toEqual([600, 610, 620, 630, 640, 650, 660, 670, 680, 690])
  })

  it('is worth writing at each tenth again once nothing counts that was assumed', () => {
    const first = new Window(1000, start, 'fresh')
    first.take(500, start)
    const window = new Window(1000, start, first.worthWriting() ?? 'fresh')
    const writes = [1, 9, 1].map((more) => window.take(more, start) && window.worthWriting())
    const later = start + 2 * minute
    const writesLater = [500, 99, 1].map((more) => window.take(more, later) && window.worthWriting())

    expect(writes.map((state) => state !== null)).toEqual([true, false, true])
    expect(writesLater.map((state) => state !== null)).toEqual([true, false, true])
  })

  it('assumes just under half as used when it is unknown', () => {
    for (const limit of [1, 2, 3, 10, 101]) {
      const window = new Window(limit, start, 'unknown')
      const assumed = limit - window.available(start)

      expect(assumed).toBe(Math.ceil(limit / 2) - 1)
      expect(window.available(start + 60_999)).toBe(limit - assumed)
      expect(window.available(start + 61_000)).toBe(limit)
    }
  })
})
