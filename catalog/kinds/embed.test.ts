import { describe, expect, it } from 'vitest'
import { embed } from './embed.ts'

const input = { texts: ['a', 'b'] }
const output = (...embeddings: unknown[][]) => ({ embeddings, dimensions: 2 })
const eight = { embeddings: [new Array(8).fill(1)], dimensions: 8 }
const shape = 'The answer does not have the shape of this kind.'

describe('embeddings', () => {
  it.each<[string, object, object, object]>([
    ['there is one for each text', output([0.6, 0.8], [0, -1]), input, {}],
    ['they have the dimensions that were asked for', eight, { texts: ['a'] }, { dimensions: 8 }],
    ['there are as many as the file has texts', output([1, 0], [0, 1], [1, 1]), { file_id: 'file_1' }, {}],
  ])('hold when %s', (_, embeddings, of, params) => {
    expect(embed.verify(embeddings, of, params)).toEqual({ ok: true, output: embeddings })
  })

  it.each<[string, object, string, object?]>([
    ['one is missing', output([1, 0]), 'Not one embedding for each text.'],
    ['there is one too many', output([1, 0], [1, 0], [1, 0]), 'Not one embedding for each text.'],
    [
      'they have other dimensions than asked for',
      output([1, 0], [1, 0]),
      'Not the dimensions that were asked for.',
      { dimensions: 8 },
    ],
    ['one is short', output([1, 0], [1]), 'An embedding of another dimension.'],
    ['one is long', output([1, 0], [1, 0, 0]), 'An embedding of another dimension.'],
    ['one is all zero', output([1, 0], [0, -0]), 'An embedding is all zero.'],
    ['one holds NaN', output([1, 0], [Number.NaN, 1]), shape],
    ['one holds infinity', output([1, 0], [Number.POSITIVE_INFINITY, 1]), shape],
    ['one holds null, as NaN is in JSON', output([1, 0], [null, 1]), shape],
  ])('do not hold when %s', (_, embeddings, fault, params = {}) => {
    expect(embed.verify(embeddings, input, params)).toEqual({ ok: false, fault })
  })
})
