import { describe, expect, it } from 'vitest'
import { type FaultPage, FaultPages, faulty, inlineErrors, lineError } from './faults.ts'

const place = (pointer: string, detail = 'Required.') => ({ pointer, detail })

describe('a line that is no item', () => {
  it.each([
    [[place('', 'Not JSON.')], 'Not JSON.'],
    [[place('/input/text')], '/input/text: Required.'],
    [[place('/input/texts/0')], '/input/texts/0: Required.'],
    [[place('/a'), place('/b'), place('/c')], '/a: Required. /b: Required. /c: Required.'],
    [
      [place('/a'), place('/b'), place('/c'), place('/d'), place('/e')],
      '/a: Required. /b: Required. /c: Required. And 2 more.',
    ],
    [[place('/input/Maria Lopez, born 1970')], '/input/…: Required.'],
    [[place(`/${'a'.repeat(65)}`)], '/…: Required.'],
    [[place('/')], '/…: Required.'],
  ])('of faults %j is told as %j', (errors, detail) => {
    expect(lineError(7, faulty(errors, 'a:1').fault)).toEqual({
      line: 7,
      external_reference: 'a:1',
      class: 'invalid_input',
      detail,
    })
  })

  it('is told with all its faults where it came inline', () => {
    expect(inlineErrors(3, faulty([place(''), place('/input/text')]).fault)).toEqual([
      place('/items/2'),
      place('/items/2/input/text'),
    ])
  })
})

describe('the faults of a source', () => {
  const added = (pages: FaultPages, first: number, last: number) => {
    for (let line = first; line <= last; line++) pages.add(line, faulty([place('')]).fault)
  }
  const told = (pages: Iterable<FaultPage>) =>
    [...pages].map(({ page, faults }) => [page, faults[0]?.line, faults.at(-1)?.line])

  it('are handed on in pages as these fill up, and none twice', () => {
    const pages = new FaultPages()

    added(pages, 1, 499)
    expect(told(pages.full())).toEqual([])
    added(pages, 500, 500)
    expect(told(pages.full())).toEqual([[0, 1, 500]])
    added(pages, 501, 1200)
    expect(told(pages.full())).toEqual([[1, 501, 1000]])
    expect(told(pages.rest())).toEqual([[2, 1001, 1200]])
    expect([told(pages.rest()), pages.count]).toEqual([[], 1200])
  })

  it('are all counted, and the first ten thousand kept', () => {
    const pages = new FaultPages()
    added(pages, 1, 10_250)

    const kept = told(pages.rest())

    expect([pages.count, kept.length, kept.at(-1)]).toEqual([10_250, 20, [19, 9501, 10_000]])
  })
})
