import { describe, expect, it } from 'vitest'
import { sourceLines } from './lines.ts'
import { MAX_ITEMS } from './plan.ts'
import { item, lineOf, order, plan, planning, referencesOf } from './planning.fixture.ts'
import { planSource } from './planning.ts'

describe('the plan of a source with lines that are no items', () => {
  it('is none where one line is no item, each of which is told', async () => {
    const { pages, faults, summary } = await plan(
      `${lineOf(item('a'))}{\n${lineOf(item('b', { input: { text: '' } }))}${lineOf(item('c'))}`,
    )

    expect(pages).toEqual([])
    expect(summary).toEqual({ items: 0, chunks: [], invalidItems: 2 })
    expect(faults).toEqual([
      { line: 2, external_reference: null, class: 'invalid_input', detail: 'Not JSON.' },
      { line: 3, external_reference: 'b', class: 'invalid_input', detail: '/input/text: Must not be empty.' },
    ])
  })

  it('goes without the lines that are no items where they may be skipped', async () => {
    const planned = await plan(`{\n${lineOf(item('a'))}x\n${lineOf(item('b'))}`, { onInvalid: 'skip' })

    expect(referencesOf(planned)).toEqual(['a', 'b'])
    expect(planned.summary).toMatchObject({
      items: 2,
      invalidItems: 2,
      chunks: [{ items: 2, runs: [[0, 2]] }],
    })
  })

  it('takes a reference once, whatever else is wrong with either line, and tells both places', async () => {
    const source = [item('a'), item('b', { input: {} }), item('a'), item('b'), item('a', { input: {} })]

    const planned = await plan(source.map(lineOf).join(''), { onInvalid: 'skip' })

    expect(referencesOf(planned)).toEqual(['a'])
    expect(planned.faults.map(({ line, detail }) => [line, detail])).toEqual([
      [2, '/input/text: Required.'],
      [3, '/external_reference: The same in line 1 and line 3.'],
      [4, '/external_reference: The same in line 2 and line 4.'],
      [5, '/input/text: Required. /external_reference: The same in line 1 and line 5.'],
    ])
  })

  it.each(['', '\n\r\n', '\uFEFF'])(
    'of the empty source %j is none, even where lines may be skipped',
    async (source) => {
      const { pages, faults, summary } = await plan(source, { onInvalid: 'skip' })

      expect([pages, faults]).toEqual([[], []])
      expect(summary).toEqual({
        items: 0,
        chunks: [],
        invalidItems: 1,
        whole: { line: 0, external_reference: null, class: 'invalid_input', detail: 'Holds no items.' },
      })
    },
  )

  it('tells faults in the order of the lines, whatever they are', async () => {
    const items = [
      item('a', { input: { file_id: 'file_9' } }),
      1,
      item('b', { input: { file_id: 'file_9' } }),
      2,
    ]

    const { faults } = await plan(items.map(lineOf).join(''))

    expect(faults.map(({ line }) => line)).toEqual([1, 2, 3, 4])
  })

  it('has so many items at most, and reads no further', async () => {
    let read = 0
    async function* source() {
      for (;;) {
        read += 1000
        yield new TextEncoder().encode('{\n'.repeat(1000))
      }
    }
    const planned = planSource(sourceLines(source()), { ...planning, order: { ...order, onInvalid: 'skip' } })

    let step = await planned.next()
    while (!step.done) step = await planned.next()

    expect(step.value).toMatchObject({ items: 0, chunks: [], whole: { line: 0 } })
    expect(read).toBeLessThan(MAX_ITEMS + 3000)
  })

  it('tells of a pair of confidentiality and retention that is one too many', async () => {
    const items = Array.from({ length: 17 }, (_, at) => item(`i${at}`, { retention_seconds: at }))

    const { faults, summary } = await plan(items.map(lineOf).join(''), { onInvalid: 'skip' })

    expect(summary).toMatchObject({ items: 16, invalidItems: 1 })
    expect(faults).toMatchObject([
      {
        line: 17,
        external_reference: 'i16',
        detail: 'A batch has at most 16 different pairs of confidentiality and retention.',
      },
    ])
  })
})
