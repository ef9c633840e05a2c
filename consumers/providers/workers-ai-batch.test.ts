import { describe, expect, it } from 'vitest'
import type { ChunkRequest } from '../batch-provider.ts'
import { chunkOf, referenceOf, submitted } from './batch/chunk.fixture.ts'
import { bindingWith, chunk, embedding, REQUEST_ID, texts } from './workers-ai/batch.fixture.ts'
import { workersAiBatch } from './workers-ai-batch.ts'

describe('a chunk that is sent to Workers AI', () => {
  const queued = {
    status: 'queued',
    model: '@cf/meta/llama-3.3-70b-instruct-fp8-fast',
    request_id: REQUEST_ID,
  }

  it('is queued, each request with its reference', async () => {
    const { calls, provider } = bindingWith(queued)

    expect(await provider.submit(chunk)).toEqual({ kind: 'accepted', requestId: REQUEST_ID })
    expect(calls).toMatchObject([{ model: '@cf/meta/llama-3.3-70b-instruct-fp8-fast', queued: true }])
    expect(calls[0]?.input.requests).toMatchObject(
      [0, 1, 2].map((at) => ({
        external_reference: referenceOf(at),
        prompt: expect.stringContaining(`All human beings are born free, number ${at}.`),
        response_format: { type: 'json_schema' },
        max_tokens: 4096,
      })),
    )
  })

  it('is as many requests as its texts need', async () => {
    const { calls, provider } = bindingWith(queued)
    await provider.submit(embedding([2, 201]))

    expect(calls[0]?.input.requests).toEqual([
      { external_reference: referenceOf(0), text: texts(2) },
      { external_reference: `${referenceOf(1)}.0`, text: texts(100) },
      { external_reference: `${referenceOf(1)}.1`, text: texts(100) },
      { external_reference: `${referenceOf(1)}.2`, text: texts(1) },
    ])
  })

  it.each([
    ['429: Too many requests', 'rate_limited'],
    ['3036: You have used up your daily free allocation', 'rate_limited'],
    ['3040: Capacity temporarily exceeded, please try again.', 'provider_overloaded'],
    ['3006: Request too large', 'input_too_large'],
    ['5007: No such model', 'model_not_found'],
    ['5016: Terms were not agreed to', 'permission_denied'],
    ['9999: x', 'provider_unavailable'],
  ])('and refused with %s was not taken', async (message, expected) => {
    const { provider } = bindingWith(new Error(message))

    expect(await provider.submit(chunk)).toEqual({ kind: 'failed', class: expected, retryAfterMs: null })
  })

  it.each([
    ['a connection that was lost', new Error('Network connection lost.')],
    ['a page in the place of an error', new Error('<html>502 Bad Gateway</html>')],
    ['a timeout', new Error('3007: Timed out')],
    ['a gateway that heard no end', new Error('504: Gateway Timeout')],
    ['a request that took too long', new Error('408: Request Timeout')],
    ['an answer without an ID', { status: 'queued' }],
    ['an ID that is none', { status: 'queued', request_id: 'a text '.repeat(100) }],
    ['no answer', null],
  ])('may have been taken after %s, and nobody can tell', async (_, answered) => {
    const { provider } = bindingWith(answered)

    expect(await provider.submit(chunk)).toEqual({ kind: 'unknown' })
    expect(await provider.reconcile(chunk)).toEqual({ kind: 'unknowable' })
  })

  it.each<[string, ChunkRequest, string]>([
    ['for a model that is not its own', chunkOf('openai/gpt-4o-mini', 1), 'model_not_found'],
    ['of a kind that has no batches', { ...chunk, kind: 'transcribe' }, 'unsupported_kind'],
    ['of other dimensions', embedding([1], { params: { dimensions: 512 } }), 'invalid_input'],
    ['with a file', { ...chunk, items: [{ reference: 'x', input: { file_id: 'file_1' } }] }, 'internal'],
  ])('%s is not sent', async (_, request, expected) => {
    const { calls, provider } = bindingWith()

    expect(await provider.submit(request)).toMatchObject({ kind: 'failed', class: expected })
    expect(calls).toEqual([])
  })

  it.each(['submit', 'read'] as const)(
    'ends with its signal, which the platform may not heed (%s)',
    async (call) => {
      const provider = workersAiBatch({ run: () => new Promise(() => undefined) })
      const signal = AbortSignal.timeout(20)

      await expect(provider[call]({ ...submitted(chunk, REQUEST_ID), signal })).rejects.toThrow('timeout')
    },
  )

  it('ends with its signal', async () => {
    const signal = AbortSignal.abort(new Error('Too late.'))

    await expect(bindingWith(new Error('Aborted')).provider.submit({ ...chunk, signal })).rejects.toThrow(
      'Too late.',
    )
  })
})
