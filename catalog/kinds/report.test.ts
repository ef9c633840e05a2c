import { describe, expect, it } from 'vitest'
import { report } from './report.ts'

const input = {
  sources: [
    { title: 'One', text: 'x' },
    { title: 'Two', file_id: 'file_2' },
  ],
}
const citations = [
  { source: 1, title: 'One' },
  { source: 2, title: 'Two' },
]
const markdown = '# Report\n\nA claim. [1] Another. [2]'

describe('a report', () => {
  it('holds when it cites every source', () => {
    const output = { markdown, citations }

    expect(report.verify(output, input, {})).toEqual({ ok: true, output })
  })

  it.each([
    ['it is blank', { markdown: '\n ', citations }, 'The report is blank.'],
    ['a source is not cited', { markdown: 'A claim. [1]', citations }, 'A source is not cited.'],
    [
      'it lists a source 0',
      { markdown, citations: [{ source: 0, title: 'None' }] },
      'A citation of an unknown source.',
    ],
    [
      'it lists more than the sources',
      { markdown, citations: [...citations, { source: 3, title: 'None' }] },
      'A citation of an unknown source.',
    ],
    [
      'a citation has no number',
      { markdown, citations: [{ title: 'One' }] },
      'The answer does not have the shape of this kind.',
    ],
  ])('does not hold when %s', (_, output, fault) => {
    expect(report.verify(output, input, {})).toEqual({ ok: false, fault })
  })
})
