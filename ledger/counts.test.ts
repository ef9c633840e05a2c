import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { added, observed, type SomeCounts, unobserved } from './counts.ts'

const bounds = [1, 5, 60]
const count = fc.nat(1000)
const some = fc.record(
  {
    succeeded: count,
    items: fc.record({ failed: count, expired: count }, { requiredKeys: [] }),
    retries: fc.dictionary(fc.constantFrom('timeout', 'internal', 'rate_limited'), count),
    queued: fc.record({ buckets: fc.array(count, { minLength: 4, maxLength: 4 }), sumMs: count }),
  },
  { requiredKeys: [] },
) as fc.Arbitrary<SomeCounts>

const leaves = (value: unknown): number =>
  typeof value === 'number'
    ? value
    : Object.values(value as object).reduce<number>((sum, one) => sum + leaves(one), 0)

describe('counters', () => {
  it('come to the same in whatever order they are added up', () => {
    fc.assert(
      fc.property(some, some, some, (a, b, c) => {
        expect(added(added(a, b), c)).toEqual(added(a, added(c, b)))
      }),
    )
  })

  it('lose nothing when they are added up, and change nothing that they are made of', () => {
    fc.assert(
      fc.property(some, some, (a, b) => {
        const before = JSON.stringify([a, b])
        expect(leaves(added(a, b))).toBe(leaves(a) + leaves(b))
        expect(JSON.stringify([a, b])).toBe(before)
      }),
    )
  })
})

describe('an observation', () => {
  it.each([
    [-5, 0, 0],
    [0, 0, 0],
    [1000, 0, 1000],
    [1001, 1, 1001],
    [60_000, 2, 60_000],
    [60_001, 3, 60_001],
  ])('of %d ms is in bucket %d', (ms, bucket, sumMs) => {
    expect(observed(bounds, ms)).toEqual({
      buckets: [0, 1, 2, 3].map((at) => Number(at === bucket)),
      sumMs,
    })
  })

  it('adds one to a histogram', () => {
    expect(added(unobserved(bounds), observed(bounds, 3000))).toEqual({ buckets: [0, 1, 0, 0], sumMs: 3000 })
  })
})
