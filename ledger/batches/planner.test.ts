import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { confidentialities } from '../../catalog/models.ts'
import type { Run } from '../schema.ts'
import { MAX_ANSWER_BYTES, MAX_CLASSES, MAX_ITEM_ANSWER_BYTES, type PlannedChunk } from './plan.ts'
import { append, ChunkPlanner, type PlannedItem } from './planner.ts'

const MEBIBYTE = 1024 * 1024

const item = (rest: Partial<PlannedItem> = {}): PlannedItem => ({
  bytes: 10,
  confidentiality: 'internal',
  retentionSeconds: 60,
  inputTokens: 3,
  estimateMicroUsd: 7,
  hasFiles: false,
  answerBytes: 0,
  ...rest,
})

function planned(limits: ConstructorParameters<typeof ChunkPlanner>[0], items: readonly PlannedItem[]) {
  const planner = new ChunkPlanner(limits)
  const numbers = items.map((one) => planner.add(one))
  return { numbers, chunks: planner.end() }
}

const indexesOf = ({ runs }: PlannedChunk) =>
  runs.flatMap(([first, count]) => Array.from({ length: count }, (_, at) => first + at))

const items = (count: number, rest: Partial<PlannedItem> = {}) =>
  Array.from({ length: count }, () => item(rest))

describe('a plan of chunks', () => {
  it('fills a chunk by count, and says what is in it', () => {
    const { numbers, chunks } = planned({ maxItems: 2, maxBytes: 100 }, items(3))

    expect(numbers).toEqual([0, 0, 1])
    expect(chunks).toEqual([
      {
        path: 'batch',
        items: 2,
        bytes: 20,
        runs: [[0, 2]],
        confidentiality: 'internal',
        retentionSeconds: 60,
        inputTokens: 6,
        estimateMicroUsd: 14,
      },
      expect.objectContaining({ items: 1, bytes: 10, runs: [[2, 1]] }),
    ])
  })

  it('fills a chunk by bytes, to the last', () => {
    const { chunks } = planned({ maxItems: 100, maxBytes: 20 }, items(5))

    expect(chunks.map(({ bytes }) => bytes)).toEqual([20, 20, 10])
  })

  it('keeps what is deleted at another time apart, and takes up a chunk again after it', () => {
    const { numbers, chunks } = planned({ maxItems: 3, maxBytes: 100 }, [
      item(),
      item({ retentionSeconds: 0 }),
      item(),
      item({ confidentiality: 'public' }),
      item(),
      item(),
    ])

    expect(numbers).toEqual([0, 1, 0, 2, 0, 3])
    expect(chunks.map(({ runs }) => runs)).toEqual([
      [
        [0, 1],
        [2, 1],
        [4, 1],
      ],
      [[1, 1]],
      [[3, 1]],
      [[5, 1]],
    ])
  })

  it('sends what is too large or has files the way of jobs', () => {
    const { numbers, chunks } = planned({ maxItems: 9, maxBytes: 15 }, [
      item(),
      item({ bytes: 16 }),
      item({ hasFiles: true }),
      item({ bytes: 15 }),
    ])

    expect(numbers).toEqual([0, 1, 1, 2])
    expect(chunks.map(({ path }) => path)).toEqual(['batch', 'jobs', 'batch'])
  })

  it('bounds what the answers to a chunk take together, and runs an item with a large one as a job', () => {
    const { chunks } = planned({ maxItems: 99, maxBytes: 9999 }, [
      ...items(17, { answerBytes: MEBIBYTE }),
      item({ answerBytes: MEBIBYTE + 1 }),
    ])

    expect(chunks.map(({ path, items: count }) => [path, count])).toEqual([
      ['batch', 8],
      ['batch', 8],
      ['batch', 1],
      ['jobs', 1],
    ])
  })

  it.each([
    ['a hundred items', items(201, { hasFiles: true }), [100, 100, 1]],
    ['eight megabytes', items(17, { hasFiles: true, bytes: MEBIBYTE }), [8, 8, 1]],
  ])('opens jobs by %s', (_, all, counts) => {
    expect(planned({ maxItems: 9, maxBytes: 15 }, all).chunks.map((chunk) => chunk.items)).toEqual(counts)
  })

  it('runs all as jobs where a provider takes no batches', () => {
    expect(planned(null, items(2)).chunks.map(({ path, runs }) => [path, runs])).toEqual([['jobs', [[0, 2]]]])
  })

  it('takes so many pairs of confidentiality and retention, and more of those', () => {
    const pairs = Array.from({ length: MAX_CLASSES + 1 }, (_, at) => item({ retentionSeconds: at }))
    const { numbers, chunks } = planned({ maxItems: 9, maxBytes: 99 }, [
      ...pairs,
      item({ retentionSeconds: 3 }),
    ])

    expect(numbers.slice(-3)).toEqual([MAX_CLASSES - 1, null, 3])
    expect(chunks.flatMap(indexesOf).toSorted((a, b) => a - b)).toEqual(
      Array.from({ length: MAX_CLASSES + 1 }, (_, at) => at),
    )
  })

  it('of nothing is nothing', () => {
    expect(planned({ maxItems: 9, maxBytes: 99 }, []).chunks).toEqual([])
  })
})

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

const sum = (numbers: readonly number[]) => numbers.reduce((total, number) => total + number, 0)

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
