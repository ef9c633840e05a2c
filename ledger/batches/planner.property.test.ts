import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { confidentialities } from '../../catalog/models.ts'
import type { Run } from '../schema.ts'
import { MAX_ANSWER_BYTES, MAX_CLASSES, MAX_ITEM_ANSWER_BYTES } from './plan.ts'
import { indexesOf, MEBIBYTE, planned } from './planner.fixture.ts'
import { append, type PlannedItem } from './planner.ts'

const sum = (numbers: readonly number[]) => numbers.reduce((total, number) => total + number, 0)

describe('whatever the items and limits, a plan', () => {
  const anyItem = fc.record({
    bytes: fc.integer({ min: 1, max: 60 }),
    confidentiality: fc.constantFrom(...confidentialities),
    retentionSeconds: fc.constantFrom(0, 60, 3600, 86_400, 604_800),
    inputTokens: fc.nat(50),
    estimateMicroUsd: fc.nat(50),
    hasFiles: fc.boolean(),
    answerBytes: fc.nat(2 * MEBIBYTE),
  })
  const anyLimits = fc.record({
    maxItems: fc.integer({ min: 1, max: 8 }),
    maxBytes: fc.integer({ min: 1, max: 100 }),
  })
  const always = (
    holds: (
      plan: ReturnType<typeof planned>,
      all: readonly PlannedItem[],
      limits: { maxItems: number; maxBytes: number },
    ) => void,
  ) =>
    fc.assert(
      fc.property(fc.array(anyItem, { maxLength: 300 }), anyLimits, (all, limits) => {
        holds(planned(limits, all), all, limits)
      }),
      { numRuns: 300 },
    )
  const takenOf = ({ numbers }: ReturnType<typeof planned>, all: readonly PlannedItem[]) =>
    all.filter((_, at) => numbers[at] !== null)

  it('has no chunk over the limits', () => {
    always(({ chunks }, _, limits) => {
      for (const { path, items: count, bytes } of chunks) {
        const { maxItems, maxBytes } = path === 'batch' ? limits : { maxItems: 100, maxBytes: 8 * MEBIBYTE }
        expect(count).toBeGreaterThan(0)
        expect(count).toBeLessThanOrEqual(maxItems)
        expect(bytes).toBeLessThanOrEqual(maxBytes)
      }
    })
  })

  it('has no chunk whose answers are too large for one piece', () => {
    always((plan, all) => {
      const taken = takenOf(plan, all)
      for (const chunk of plan.chunks.filter(({ path }) => path === 'batch')) {
        const answers = indexesOf(chunk).map((index) => taken[index]?.answerBytes ?? 0)
        expect(sum(answers)).toBeLessThanOrEqual(MAX_ANSWER_BYTES)
      }
    })
  })

  it('has every item in one chunk, which is the one that was answered, in input order', () => {
    always((plan, all) => {
      const chunkOf = new Map<number, number>()
      plan.chunks.forEach((chunk, number) => {
        const indexes = indexesOf(chunk)
        expect(indexes).toEqual(indexes.toSorted((a, b) => a - b))
        expect(indexes).toHaveLength(chunk.items)
        for (const index of indexes) expect(chunkOf.has(index)).toBe(false)
        for (const index of indexes) chunkOf.set(index, number)
      })
      const answered = plan.numbers.filter((number) => number !== null)
      expect(answered.map((_, index) => chunkOf.get(index))).toEqual(answered)
      expect(chunkOf.size).toBe(takenOf(plan, all).length)
    })
  })

  it('mixes no confidentiality, no date of deletion, and no path', () => {
    always((plan, all, { maxBytes }) => {
      const taken = takenOf(plan, all)
      for (const chunk of plan.chunks) {
        for (const index of indexesOf(chunk)) {
          const {
            confidentiality,
            retentionSeconds,
            hasFiles,
            bytes = 0,
            answerBytes = 0,
          } = taken[index] ?? {}
          expect([confidentiality, retentionSeconds]).toEqual([chunk.confidentiality, chunk.retentionSeconds])
          const isAlone = hasFiles || bytes > maxBytes || answerBytes > MAX_ITEM_ANSWER_BYTES
          expect(isAlone).toBe(chunk.path === 'jobs')
        }
      }
    })
  })

  it('adds up, and refuses only pairs that are one too many', () => {
    always((plan, all) => {
      const taken = takenOf(plan, all)
      const pairs = new Set(taken.map((one) => `${one.confidentiality} ${one.retentionSeconds}`))
      for (const what of ['bytes', 'inputTokens', 'estimateMicroUsd'] as const)
        expect(sum(plan.chunks.map((chunk) => chunk[what]))).toBe(sum(taken.map((one) => one[what])))
      expect(pairs.size).toBeLessThanOrEqual(MAX_CLASSES)
      if (pairs.size < MAX_CLASSES) expect(taken).toHaveLength(all.length)
    })
  })

  it('is the same again', () => {
    always((plan, all, limits) => expect(planned(limits, all)).toEqual(plan))
  })
})

describe('runs of numbers', () => {
  it('hold each number, in as few as can be', () => {
    const ascending = fc.uniqueArray(fc.nat(60)).map((numbers) => numbers.toSorted((a, b) => a - b))
    fc.assert(
      fc.property(ascending, (numbers) => {
        const runs: Run[] = []
        for (const number of numbers) append(runs, number)

        expect(
          runs.flatMap(([first, count]) => Array.from({ length: count }, (_, at) => first + at)),
        ).toEqual(numbers)
        for (const [at, [first]] of runs.entries())
          expect(first).not.toBe(sum([...(runs[at - 1] ?? [-2, 0])]))
      }),
    )
  })
})
