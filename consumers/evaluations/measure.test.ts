import { describe, expect, it } from 'vitest'
import type { KindName } from '../../catalog/kind.ts'
import { mean, percentile } from './figures.ts'
import { nearest, overlap, shareHeld, shareTogether } from './likeness.ts'
import { agreement, measure } from './measure.ts'

const text = 'The ship left the harbour.'

describe('an answer is scored', () => {
  it.each<[string, KindName, object, unknown, unknown, number | null]>([
    ['not at all where nothing is expected', 'summarize', { text }, undefined, { summary: text }, null],
    [
      'by its phrases',
      'summarize',
      { text },
      { phrases: ['SHIP', 'the  harbour', 'a cat', 'a dog'] },
      { summary: text },
      0.5,
    ],
    ['by a good answer', 'summarize', { text }, { reference: text }, { summary: text }, 1],
    ['by both', 'summarize', { text }, { phrases: ['cat'], reference: text }, { summary: text }, 0.5],
    [
      'as a report',
      'report',
      { sources: [{ title: 'A', text }] },
      { phrases: ['ship'] },
      { markdown: `# A\n\n${text} [1]`, citations: [{ source: 1, title: 'A' }] },
      1,
    ],
    [
      'by its label',
      'classify',
      { text, labels: ['a', 'b'] },
      'a',
      {
        labels: [
          { label: 'a', score: 0.6 },
          { label: 'b', score: 0.4 },
        ],
      },
      1,
    ],
    [
      'by its label, if that is wrong',
      'classify',
      { text, labels: ['a', 'b'] },
      'b',
      {
        labels: [
          { label: 'a', score: 0.6 },
          { label: 'b', score: 0.4 },
        ],
      },
      0,
    ],
    [
      'by what lies together',
      'embed',
      { texts: ['a', 'b', 'c'] },
      { groups: [0, 1, 0] },
      {
        dimensions: 2,
        embeddings: [
          [1, 0],
          [0, 1],
          [2, 0.1],
        ],
      },
      1,
    ],
    [
      'by what lies apart',
      'embed',
      { texts: ['a', 'b', 'c'] },
      { groups: [0, 0, 1] },
      {
        dimensions: 2,
        embeddings: [
          [1, 0],
          [0, 1],
          [2, 0.1],
        ],
      },
      0,
    ],
  ])('%s', (_, kind, input, expected, output, score) => {
    expect(measure(kind, { input, expected }, output).score).toBe(score)
  })

  it('with its length in characters, its dimensions, and whether it is founded', () => {
    const summary = 'Nelson has 3 ships 😀.'

    expect(measure('summarize', { input: { text } }, { summary })).toMatchObject({
      length: 21,
      dimensions: null,
      founded: false,
    })
    expect(
      measure('embed', { input: { texts: ['a'] } }, { dimensions: 2, embeddings: [[1, 0]] }),
    ).toMatchObject({
      length: null,
      dimensions: 2,
      founded: true,
      essence: { neighbours: [-1] },
    })
  })
})

describe('two answers agree', () => {
  it.each([
    ['by their labels', { label: 'a' }, { label: 'a' }, 1],
    ['not, by their labels', { label: 'a' }, { label: 'b' }, 0],
    ['by their words', { text: 'a b c d' }, { text: 'd c x y' }, 0.5],
    ['by the neighbours', { neighbours: [1, 0, 0, 0] }, { neighbours: [1, 2, 1, 0] }, 0.5],
  ])('%s', (_, a, b, share) => {
    expect(agreement(a, b)).toBe(share)
    expect(agreement(b, a)).toBe(share)
  })

  it('only if they are of one kind', () => {
    expect(() => agreement({ label: 'a' }, { text: 'a' })).toThrow()
  })
})

describe('likeness', () => {
  it.each([
    ['the same words', 'The ship left.', 'left the SHIP', 1],
    ['no words in common', 'A ship.', 'Two cats!', 0],
    ['a word more often', 'ship ship', 'ship', 2 / 3],
    ['Japanese', '船が港を出た。', '船が港を出た', 1],
    ['nothing and something', '', 'ship', 0],
    ['nothing twice', '', '!', 1],
  ])('of texts counts words: %s', (_, a, b, share) => {
    expect(overlap(a, b)).toBeCloseTo(share, 10)
  })

  it('of phrases knows neither capitals nor spaces nor forms', () => {
    expect(shareHeld('Ｆree and\n equal', ['FREE AND EQUAL ', 'slave'])).toBe(0.5)
  })

  it('of vectors goes by their directions', () => {
    expect(
      nearest([
        [1, 0],
        [0, 5],
        [9, 1],
        [0, 1],
      ]),
    ).toEqual([2, 3, 0, 1])
  })

  it('counts only texts that belong to others', () => {
    expect(shareTogether([1, 0, 0], [0, 0, 1])).toBe(1)
    expect(shareTogether([2, 0, 0], [0, 0, 1])).toBe(0.5)
  })
})

describe('figures', () => {
  it.each([
    [[], 0.5, null],
    [[3], 0.95, 3],
    [[4, 1, 3, 2], 0.5, 2],
    [[4, 1, 3, 2], 0.95, 4],
    [[1, 2, 3], 0, 1],
  ])('of %j have a percentile of %d: %s', (values, share, value) => {
    expect(percentile(values, share)).toBe(value)
  })

  it('have a mean, if there are any', () => {
    expect([mean([]), mean([1, 2])]).toEqual([null, 1.5])
  })
})
