import { describe, expect, it } from 'vitest'
import type { KindName } from '../../catalog/kind.ts'
import { sizeAnswered, sizeSent } from './sizes.ts'

const MEBIBYTE = 1024 * 1024
const chunk = (kind: KindName, model: string, count: number, bytes: number) => ({
  kind,
  model,
  items: Array.from({ length: count }, () => ({ bytes })),
})

describe('what a chunk takes of memory', () => {
  it('when it is sent, is what it holds, as it came and as it goes', () => {
    expect(sizeSent(chunk('embed', 'embedded/hash-1', 10, 200))).toBe(4000)
  })

  it.each<[string, KindName, string, number, number, number]>([
    ['vectors by their dimension', 'embed', 'embedded/hash-1', 200, 7, 8],
    ['longer vectors', 'embed', 'openai/text-embedding-3-small', 200, 41, 43],
    ['several vectors', 'embed', 'embedded/hash-1', 1000, 14, 16],
    ['a text that is written', 'summarize', 'openai/gpt-4o-mini', 200, 4, 5],
    ['as much as the model writes', 'report', 'openai/gpt-4o-mini', 100_000, 125, 128],
    ['what a model without tokens writes', 'classify', 'embedded/hash-1', 200, 4, 5],
  ])('with the answers to 1,000 items is by kind and model: %s', (_, kind, model, bytes, least, most) => {
    const size = sizeAnswered(chunk(kind, model, 1000, bytes)) / MEBIBYTE

    expect(size).toBeGreaterThan(least - 1)
    expect(size).toBeLessThan(most)
  })

  it('leaves room for a second one beside a thousand vectors or summaries', () => {
    const half = 8 * MEBIBYTE

    expect(sizeAnswered(chunk('embed', 'embedded/hash-1', 1000, 200))).toBeLessThan(half)
    expect(
      sizeAnswered(chunk('summarize', 'workers-ai/llama-3.3-70b-instruct-fp8-fast', 1000, 500)),
    ).toBeLessThan(half)
  })
})
