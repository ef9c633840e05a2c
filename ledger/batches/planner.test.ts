import { describe, expect, it } from 'vitest'
import { MAX_CLASSES } from './plan.ts'
import { indexesOf, item, items, MEBIBYTE, planned } from './planner.fixture.ts'

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

  it('lets jobs have answers as large as they like in one chunk, which is put together one by one', () => {
    const { chunks } = planned({ maxItems: 99, maxBytes: 9999 }, items(9, { answerBytes: 2 * MEBIBYTE }))

    expect(chunks.map(({ path, items: count }) => [path, count])).toEqual([['jobs', 9]])
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
