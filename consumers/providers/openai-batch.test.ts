import { describe, expect, it } from 'vitest'
import type { ChunkRequest } from '../batch-provider.ts'
import { referenceOf, submitted, told } from './batch/chunk.fixture.ts'
import {
  accepted,
  answersOf,
  askedFor,
  chunk,
  ended,
  provider,
  server,
  useOpenAi,
} from './openai/batch.fixture.ts'

useOpenAi()

describe('a chunk that is sent to OpenAI', () => {
  it('is a file of requests with our references, and a batch of it with our key', async () => {
    const traceparent = '00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01'
    const request = chunk('', { traceparent })
    await accepted(request)

    const file = askedFor(`${request.key}-file`)?.body as { purpose: string; file: { text: string } }
    const lines = file.file.text.trimEnd().split('\n')
    expect(file.purpose).toBe('batch')
    expect(lines.map((line) => JSON.parse(line))).toMatchObject(
      [0, 1, 2].map((at) => ({
        custom_id: referenceOf(at),
        method: 'POST',
        url: '/v1/chat/completions',
        body: { model: 'gpt-4o-mini', response_format: { type: 'json_schema' } },
      })),
    )
    expect(askedFor(request.key)).toMatchObject({
      headers: { traceparent },
      body: {
        endpoint: '/v1/chat/completions',
        completion_window: '24h',
        metadata: { submission: request.key },
      },
    })
  })

  it.each([
    ['upload', '429', 'rate_limited'],
    ['upload', '401', 'permission_denied'],
    // We made the file: whatever is wrong with it is nothing that a customer could mend.
    ['upload', '400', 'internal'],
    ['upload', '413', 'internal'],
    ['upload', '400-context-length', 'internal'],
    ['upload', '400-content-policy', 'content_filtered'],
    ['upload', '500', 'provider_unavailable'],
    ['upload', 'cut', 'provider_unavailable'],
    ['upload', 'empty-200', 'invalid_output'],
    ['create', '400', 'internal'],
    ['create', '429', 'rate_limited'],
    ['create', '429-quota', 'permission_denied'],
    ['create', '503-overloaded', 'provider_overloaded'],
    ['create', 'redirect', 'provider_unavailable'],
  ])('and refused at its %s with %s was not taken', async (call, fault, expected) => {
    expect(await provider().submit(chunk(`batch-${call}:${fault}`))).toMatchObject({
      kind: 'failed',
      class: expected,
    })
  })

  it('is sent again when the provider says', async () => {
    expect(await provider().submit(chunk('batch-create:429-retry-after'))).toMatchObject({
      retryAfterMs: 1000,
    })
  })

  it.each(['500', '504', '408', 'cut', 'cut-in-body', 'empty-200', '502-html'])(
    'may have been taken when its creation ends with %s',
    async (fault) => {
      expect(await provider().submit(chunk(`batch-create:${fault}`))).toEqual({ kind: 'unknown' })
    },
  )

  it('may have been taken when the time runs out', async () => {
    const request = chunk('batch-create:hangs-after-work', { signal: AbortSignal.timeout(300) })
    await expect(provider().submit(request)).rejects.toThrow()

    const signal = AbortSignal.timeout(20_000)
    expect(await provider().reconcile({ ...request, signal })).toMatchObject({ kind: 'found' })
  })

  it.each<[string, Partial<ChunkRequest>, string]>([
    ['for a model that is not its own', { model: 'embedded/extract-1' }, 'model_not_found'],
    ['of a kind that has no batches', { kind: 'transcribe' }, 'unsupported_kind'],
    ['with a file', { items: [{ reference: 'x', input: { file_id: 'file_1' } }] }, 'internal'],
    [
      'of more texts than a batch may hold',
      {
        kind: 'embed',
        items: Array.from({ length: 200 }, (_, at) => ({
          reference: referenceOf(at),
          input: { texts: Array<string>(256).fill('a') },
        })),
      },
      'internal',
    ],
  ])('%s is not sent', async (_, more, expected) => {
    const before = server.asked.length

    expect(await provider().submit(chunk('', more))).toMatchObject({ kind: 'failed', class: expected })
    expect(server.asked.length).toBe(before)
  })
})

describe('a chunk that is called off at OpenAI', () => {
  it('ends with what was done', async () => {
    const sent = await accepted(chunk('batch-state:stuck'))
    await provider().cancel(sent)

    expect(told(answersOf(await ended(sent)))).toEqual(['completed', 'completed', 'provider_unavailable'])
  })

  it('may not be', async () => {
    await expect(provider().cancel(await accepted(chunk('batch-cancel:500')))).resolves.toBeUndefined()
    await expect(provider().cancel(submitted(chunk(), 'batch_0'))).resolves.toBeUndefined()
  })
})
