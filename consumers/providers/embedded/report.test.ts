import { describe, expect, it } from 'vitest'
import { countWords } from '../../../catalog/words.ts'
import { report } from './report.ts'
import { sentences } from './sentences.ts'
import { declaration } from './udhr.fixture.ts'

const english = { title: 'The declaration', text: declaration('eng').text }
const japanese = { title: '世界人権宣言', text: declaration('jpn').text }
const note = { title: 'A note', text: 'The harbour is closed.' }

/** The body of each section, below its heading. */
const bodies = (markdown: string) =>
  markdown
    .split(/^## .*$/m)
    .slice(1)
    .map((body) => body.trim())

/** The claims of a body, without their citations. */
const claims = (body: string) => body.split(/ \[\d+\] ?/).filter(Boolean)

describe('a report', () => {
  it('has a title, and a section for each source in order', () => {
    const { markdown } = report([english, note, japanese], { title: 'Human rights' })
    expect(markdown.match(/^#.*$/gm)).toEqual([
      '# Human rights',
      '## The declaration',
      '## A note',
      '## 世界人権宣言',
    ])
  })

  it('lists a citation for each source', () => {
    expect(report([english, japanese], {}).citations).toEqual([
      { source: 1, title: 'The declaration' },
      { source: 2, title: '世界人権宣言' },
    ])
  })

  it('cites its source after every sentence, each of which stands in it', () => {
    const sources = [english, note, japanese]
    for (const [at, body] of bodies(report(sources, { max_words: 500 }).markdown).entries()) {
      const known = sentences(sources[at]?.text ?? '')
      expect(body).toMatch(new RegExp(`\\[${at + 1}\\]$`))
      expect(body).not.toMatch(new RegExp(`\\[(?!${at + 1}\\])`))
      for (const claim of claims(body)) expect(known).toContain(claim)
    }
  })

  it.each([10, 25, 60, 150, 400, 1000])('shares %i words over its sources', (max_words) => {
    const found = bodies(report([english, note, japanese], { max_words }).markdown).map((body) =>
      claims(body),
    )
    const words = found.flat().reduce((sum, claim) => sum + countWords(claim), 0)

    expect(words).toBeLessThanOrEqual(max_words)
    expect(found.every((section) => section.length > 0)).toBe(true)
  })

  it('gives to long sources what short ones leave', () => {
    const [alone, beside] = [
      report([english], { max_words: 100 }),
      report([english, note], { max_words: 104 }),
    ]
    expect(bodies(beside.markdown)[0]).toBe(bodies(alone.markdown)[0])
  })

  it('has about 120 words a source when no limit is given', () => {
    for (const body of bodies(report([english, japanese], {}).markdown)) {
      const words = claims(body).reduce((sum, claim) => sum + countWords(claim), 0)
      expect(words).toBeGreaterThan(80)
    }
  })

  it('cuts a sentence where a source has too little room for one', () => {
    const { markdown } = report(
      Array.from({ length: 50 }, () => english),
      { max_words: 100 },
    )
    expect(bodies(markdown)).toHaveLength(50)
    expect(bodies(markdown)[49]).toMatch(/^\S+ \S+… \[50\]$/)
  })

  it('is named in the language of its sources when it has no title', () => {
    expect(report([english], {}).markdown).toMatch(/^# Report\n/)
    expect(report([japanese], { title: ' ' }).markdown).toMatch(/^# レポート\n/)
  })
})

describe('what comes from a source', () => {
  it.each([
    ['Line\n# break', '## Line # break'],
    ['Line\r\n\r\nbreak', '## Line break'],
    ['<script>alert(1)</script>', '## \\<script>alert(1)\\</script>'],
    ['*Bold* `code` ~gone~', '## \\*Bold\\* \\`code\\` \\~gone\\~'],
    ['[1](https://example.com) ![x](y)', '## \\[1](https://example.com) !\\[x](y)'],
    ['&lt;b&gt; but AT&T', '## \\&lt;b\\&gt; but AT&T'],
    ['_it_ is snake_case', '## \\_it\\_ is snake_case'],
    ['C:\\temp', '## C:\\\\temp'],
    ['Closed #', '## Closed \\#'],
    ['1. Plain (100%)', '## 1. Plain (100%)'],
    [' ', '## 1'],
  ])('cannot act as Markdown in a title: %j', (title, heading) => {
    const { markdown } = report([{ title, text: 'Text.' }], {})
    expect(markdown).toBe(`# Report\n\n${heading}\n\nText. [1]\n`)
  })

  it.each([
    ['# not a heading.', '\\# not a heading.'],
    ['- not a list.', '\\- not a list.'],
    ['1. not a list either.', '1\\. not a list either.'],
    ['> not a quotation.', '\\> not a quotation.'],
    ['Cited [2] before.', 'Cited \\[2] before.'],
    ['It is <b>bold</b>.', 'It is \\<b>bold\\</b>.'],
  ])('cannot act as Markdown in a claim: %j', (text, claim) => {
    expect(bodies(report([{ title: 'T', text }], {}).markdown)).toEqual([`${claim} [1]`])
  })

  it('has no claim when it is blank', () => {
    expect(report([{ title: 'Empty', text: ' \n ' }, note], {}).markdown).toBe(
      '# Report\n\n## Empty\n\n## A note\n\nThe harbour is closed. [2]\n',
    )
  })
})
