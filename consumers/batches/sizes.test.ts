import { describe, expect, it } from 'vitest'
import type { KindName } from '../../catalog/kind.ts'
import { CHUNK_BYTES } from '../memory.ts'
import { sizeAnswered, sizeSent } from './sizes.ts'

const LLAMA = 'workers-ai/llama-3.3-70b-instruct-fp8-fast'
const chunk = (
  kind: KindName,
  model: string,
  count: number,
  bytes: number,
  params: string | null = null,
) => ({
  kind,
  model,
  params,
  items: Array.from({ length: count }, () => ({ bytes })),
})

describe('what a chunk takes of memory', () => {
  it('when it is sent, is what it holds, as it came and as it goes', () => {
    expect(sizeSent(chunk('embed', 'embedded/hash-1', 10, 200))).toBe(4000)
  })

  it.each<[string, ReturnType<typeof chunk>, number]>([
    ['vectors by their dimension', chunk('embed', 'embedded/hash-1', 10, 200), 2000 + 10 * 256 * 24],
    [
      'by that which was asked for',
      chunk('embed', 'embedded/hash-1', 1, 200, '{"dimensions":64}'),
      200 + 64 * 24,
    ],
    ['several vectors of a long item', chunk('embed', 'embedded/hash-1', 1, 900), 900 + 2 * 256 * 24],
    [
      'no more vectors than are planned',
      chunk('embed', 'workers-ai/bge-m3', 1000, 200),
      200_000 + 8 * 1024 * 1024,
    ],
    ['a text that is written', chunk('summarize', LLAMA, 1, 500), 500 + 2 * (500 + 2048)],
    ['no more of it than the model writes', chunk('report', LLAMA, 1, 100_000), 100_000 + 2 * 4096 * 4],
    ['a text of a model that counts no tokens', chunk('classify', 'embedded/hash-1', 1, 100), 100 + 2 * 2148],
  ])('with its answer, is by kind and model: %s', (_, sized, expected) => {
    expect(sizeAnswered(sized)).toBe(expected)
  })

  it.each([
    ['vectors', chunk('embed', 'embedded/hash-1', 1000, 200)],
    ['as many vectors as are planned', chunk('embed', 'openai/text-embedding-3-small', 225, 400)],
    ['summaries', chunk('summarize', LLAMA, 1000, 500)],
  ])('leaves room for a second one beside a chunk of %s', (_, sized) => {
    expect(2 * sizeAnswered(sized)).toBeLessThanOrEqual(CHUNK_BYTES)
  })
})
