import { describe, expect, it } from 'vitest'
import { faulty, inlineErrors, LineErrors, lineError } from './faults.ts'

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
  it('are counted, and the first hundred kept', () => {
    const errors = new LineErrors()
    for (let line = 1; line <= 250; line++) errors.add(line, faulty([place('')]).fault)

    expect([errors.count, errors.kept.length, errors.kept.at(-1)?.line]).toEqual([250, 100, 100])
  })
})
