import { describe, expect, it } from 'vitest'
import { findModel } from '../../../catalog/models.ts'
import type { ChunkRequest } from '../../batch-provider.ts'
import { chunkOf, referenceOf } from '../batch/chunk.fixture.ts'
import { bindingWith, REQUEST_ID } from './batch.fixture.ts'

/** What the platform takes. */
const MOST_BYTES = 10_000_000
const SIZES = Array.from({ length: 500 }, (_, at) => 500 - at)

const bytesOf = (value: unknown) => Buffer.byteLength(JSON.stringify(value))
const limitsOf = (model: string) => {
  const batch = findModel(model)?.batch
  if (!batch) throw new Error('It takes no batches.')
  return batch
}

/** As many items as a chunk may hold, each as large as it may be on average; and the bytes of their lines. */
function fullChunk(
  model: string,
  kind: ChunkRequest['kind'],
  params: object,
  inputOf: (size: number) => object,
) {
  const { maxItems, maxBytes } = limitsOf(model)
  const all = Array.from({ length: maxItems }, (_, at) => at)
  const linesOf = (input: object) => maxItems * (bytesOf({ external_reference: '123', input }) + 1)
  const input = SIZES.map(inputOf).find((one) => linesOf(one) <= maxBytes) ?? {}
  const items = all.map((at) => ({ reference: referenceOf(at), input }))
  return { bytes: linesOf(input), request: chunkOf(model, 0, { kind, params, items }) }
}

/** The request that is made of it. */
async function sent(request: ChunkRequest): Promise<unknown> {
  const { calls, provider } = bindingWith({ status: 'queued', request_id: REQUEST_ID })
  await provider.submit(request)
  return calls[0]?.input
}

const LLAMA = 'workers-ai/llama-4-scout-17b-16e-instruct'
const many = <T>(count: number, of: (at: number) => T) => Array.from({ length: count }, (_, at) => of(at))
/** Distinct, and each character takes twice as much within the prompt as in its line. */
const quoted = (at: number, size: number) =>
  at
    .toString(2)
    .padStart(Math.min(200, Math.max(7, size)), '0')
    .replaceAll('0', '"')
    .replaceAll('1', '\\')

describe('a full chunk', () => {
  it.each<[string, string, ChunkRequest['kind'], object, (size: number) => object]>([
    [
      'texts to summarise',
      LLAMA,
      'summarize',
      { max_words: 2000, max_characters: 20_000 },
      (size) => ({ text: 'x'.repeat(20 * size) }),
    ],
    [
      'many short labels',
      LLAMA,
      'classify',
      {},
      (size) => ({
        text: 'x'.repeat(20 * size),
        labels: many(100, (at) => String.fromCodePoint(at < 90 ? at + 35 : at + 167)),
      }),
    ],
    [
      'labels of quotation marks',
      LLAMA,
      'classify',
      {},
      (size) => ({ text: 'x', labels: many(100, (at) => quoted(at, size)) }),
    ],
    [
      'reports with titles of quotation marks, under one of control characters',
      LLAMA,
      'report',
      { title: '\u0001'.repeat(500), max_words: 20_000 },
      (size) => ({ sources: many(50, () => ({ title: '"'.repeat(size), text: 'x' })) }),
    ],
    [
      'texts to embed',
      'workers-ai/bge-m3',
      'embed',
      {},
      (size) => ({ texts: many(201, () => 'x'.repeat(size)) }),
    ],
  ])('of %s fits into a request to Workers AI', async (_, model, kind, params, inputOf) => {
    const { bytes, request } = fullChunk(model, kind, params, inputOf)
    expect(bytes).toBeGreaterThan(0.9 * limitsOf(model).maxBytes)

    expect(bytesOf(await sent(request))).toBeLessThan(MOST_BYTES)
  })
})
