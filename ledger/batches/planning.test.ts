import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { Run } from '../schema.ts'
import { PAGE_ITEMS } from './plan.ts'
import { item, itemsOf, lineOf, plan, referencesOf } from './planning.fixture.ts'

describe('the plan of a source', () => {
  it('has every item in its manifest, with its place, and in a chunk', async () => {
    const source = `\n${lineOf(item('a', { input: { text: 'ü 漢 𠮷' } }))}${lineOf(item('b', { retention_seconds: 0 }))}\r\n${lineOf(item('c'))}`

    const planned = await plan(source)

    const bytes = new TextEncoder().encode(source)
    const read = itemsOf(planned).map(({ at, bytes: length }) =>
      JSON.parse(new TextDecoder().decode(bytes.subarray(at, at + length))),
    )
    expect(read.map((one) => one.external_reference)).toEqual(['a', 'b', 'c'])
    expect(itemsOf(planned)).toEqual([
      expect.objectContaining({ line: 2, reference: 'a', chunk: 0, at: 1 }),
      expect.objectContaining({ line: 3, reference: 'b', chunk: 1 }),
      expect.objectContaining({ line: 5, reference: 'c', chunk: 0 }),
    ])
    for (const { key, inputSha256 } of itemsOf(planned)) {
      expect(key).toMatch(/^[0-9a-f]{32}$/)
      expect(inputSha256).toMatch(/^[0-9a-f]{64}$/)
    }
    expect(planned.summary).toMatchObject({ items: 3, invalidItems: 0 })
    expect(planned.summary.chunks.map(({ runs }) => runs)).toEqual([
      [
        [0, 1],
        [2, 1],
      ],
      [[1, 1]],
    ])
  })

  it('comes in pages', async () => {
    const count = 2 * PAGE_ITEMS + 1
    const planned = await plan(Array.from({ length: count }, (_, at) => lineOf(item(`i${at}`))).join(''))

    expect(planned.pages.map(({ page, items }) => [page, items.length])).toEqual([
      [0, PAGE_ITEMS],
      [1, PAGE_ITEMS],
      [2, 1],
    ])
    expect(referencesOf(planned)).toEqual(Array.from({ length: count }, (_, at) => `i${at}`))
  })

  it('knows the files that its items name', async () => {
    const [one, two] = [{ file_id: 'file_1' }, { file_id: 'file_2' }]
    const items = [item('a', { input: one }), item('b', { input: two }), item('c', { input: one }), item('d')]

    const planned = await plan(items.map(lineOf).join(''))

    expect(planned.pages.map(({ fileIds }) => fileIds)).toEqual([['file_1', 'file_2']])
    expect(planned.summary.chunks.map(({ path, runs, inputTokens }) => [path, runs, inputTokens])).toEqual([
      ['jobs', [[0, 3]], 300],
      ['batch', [[3, 1]], 2],
    ])
    const missing = await plan(lineOf(item('a', { input: { file_id: 'file_9' } })))
    expect(missing.faults).toMatchObject([{ detail: '/input/file_id: There is no such file.' }])
  })

  it('is made of the lines that a rerun takes, as if there were no others', async () => {
    const source = [item('a'), item('b'), 'x', item('b'), item('c'), item('d'), 'y'].map(lineOf).join('')

    const planned = await plan(source, {
      lines: [
        [2, 1],
        [5, 2],
      ],
    })

    expect(itemsOf(planned).map(({ line, reference }) => [line, reference])).toEqual([
      [2, 'b'],
      [5, 'c'],
      [6, 'd'],
    ])
    expect(planned.summary).toMatchObject({ items: 3, chunks: [{ runs: [[0, 3]] }] })
  })

  it('for a rerun is the one of the lines alone', async () => {
    const lines = fc.uniqueArray(fc.integer({ min: 1, max: 30 }), { minLength: 1 })
    await fc.assert(
      fc.asyncProperty(lines, async (numbers) => {
        const taken = numbers.toSorted((a, b) => a - b)
        const runs = taken.map((line): Run => [line, 1])
        const source = Array.from({ length: 30 }, (_, at) => lineOf(item(`i${at + 1}`))).join('')

        const planned = await plan(source, { lines: runs })

        expect(itemsOf(planned).map(({ line }) => line)).toEqual(taken)
      }),
      { numRuns: 50 },
    )
  })

  it('is a fault of ours for a model that is not there', async () => {
    await expect(plan(lineOf(item('a')), { model: 'embedded/gone' })).rejects.toThrow('not in the catalog')
  })
})
