import { describe, expect, it } from 'vitest'
import type { Counters } from './reading.ts'
import { baseline, growth, keptSamples, type Sample } from './window.ts'

const MINUTE = 60_000
const HOUR = 60 * MINUTE
const counters = (ended: number): Counters => ({
  models: { m: { ended, expired: 0, failed: 0, refused: 0 } },
  webhooks: { attempts: 0, failed: 0 },
})
const at = (minutes: number): Sample => ({ at: minutes * MINUTE, counters: counters(minutes) })

describe('what the present is held against', () => {
  it.each<[string, number[], number, number | undefined]>([
    ['nothing before the first sample', [], 10, undefined],
    ['the oldest, while none is a window old', [0, 5, 10], 20, 0],
    ['the newest that is a window old', [0, 5, 10, 60], 68, 5],
    ['one that is much older, after a pause', [0, 5], 500, 5],
  ])('is %s', (_, minutes, now, expected) => {
    const found = baseline(minutes.map(at), now * MINUTE, HOUR)

    expect(found && found.at / MINUTE).toBe(expected)
  })
})

describe('samples', () => {
  it('are taken each minute, and kept so that they are few and a window is covered', () => {
    let samples: readonly Sample[] = []
    for (let minute = 0; minute <= 300; minute++)
      samples = keptSamples(samples, counters(minute), minute * MINUTE, HOUR)

    expect(samples.map((one) => one.at / MINUTE)).toEqual(
      Array.from({ length: 13 }, (_, nth) => 240 + nth * 5),
    )
  })

  it('stay the same list while the last is fresh', () => {
    const samples = [at(0), at(5)]

    expect(keptSamples(samples, counters(9), 9 * MINUTE, HOUR)).toBe(samples)
  })
})

describe('growth', () => {
  it.each([
    ['what has come', 10, 17, 7],
    ['nothing where a counter has fallen', 17, 10, 0],
  ])('is %s', (_, before, after, expected) => {
    expect(growth(counters(before), counters(after)).models.get('m')?.ended).toBe(expected)
  })

  it('is all of a model that was not there', () => {
    const none = { ...counters(0), models: {} }

    expect(growth(none, counters(5)).models.get('m')?.ended).toBe(5)
  })
})
