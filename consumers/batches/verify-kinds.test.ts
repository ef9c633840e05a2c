import { describe, expect, it } from 'vitest'
import { summarize } from '../providers/embedded/summarize.ts'
import { declaration } from '../providers/embedded/udhr.fixture.ts'
import { chunkOf, completed, failure, nothing, verified } from './verify.fixture.ts'

describe('embeddings of a chunk', () => {
  const vector = (dimensions: number, value: unknown = 0.1) => ({
    embeddings: [new Array(dimensions).fill(value)],
    dimensions,
  })
  const chunk = chunkOf('embed', [{ texts: ['a'] }, { texts: ['b'] }])
  const statusesOf = (output: unknown, asked = chunk) =>
    verified(asked, [failure(0, 'timeout'), completed(1, output)]).statuses

  it.each<[string, unknown, string]>([
    ['of the dimensions of the model', vector(256), 'fs'],
    ['of other dimensions than the model', vector(255), 'ff'],
    ['with one that is no number', vector(256, Number.NaN), 'ff'],
    ['with infinity', vector(256, Number.NEGATIVE_INFINITY), 'ff'],
    ['with null', vector(256, null), 'ff'],
    ['of zeros', vector(256, 0), 'ff'],
    ['of other dimensions than they say', { ...vector(256), dimensions: 255 }, 'ff'],
    ['of another number than texts', { ...vector(256), embeddings: [] }, 'ff'],
  ])('%s', (_, output, statuses) => {
    expect(statusesOf(output)).toBe(statuses)
  })

  it('of the dimensions that were asked for', () => {
    const asked = { ...chunk, params: { dimensions: 8 } }

    expect([statusesOf(vector(8), asked), statusesOf(vector(256), asked)]).toEqual(['fs', 'ff'])
  })
})

describe('summaries made of sentences of their input', () => {
  it.each(['eng', 'jpn', 'deu_1996', 'fra', 'rus', 'arb', 'hin', 'cmn_hans', 'tha'])(
    'are founded in %s',
    (code) => {
      const input = { text: declaration(code).text }
      const output = { summary: summarize(input.text, { max_words: 300 }) }
      const chunk = chunkOf('summarize', [input], { params: { max_words: 300 } })

      expect(verified(chunk, [completed(0, output)]).findings).toEqual(nothing)
    },
  )
})
