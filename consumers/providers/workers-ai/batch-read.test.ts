import { afterEach, describe, expect, it, vi } from 'vitest'
import { referenceOf, submitted } from '../batch/chunk.fixture.ts'
import { answer, bindingWith, chunk, REQUEST_ID, read, usage } from './batch.fixture.ts'

afterEach(() => vi.restoreAllMocks())

describe('a chunk at Workers AI', () => {
  it('is asked for by model and request ID', async () => {
    const { calls, provider } = bindingWith({ status: 'queued', request_id: REQUEST_ID })
    await provider.read(submitted(chunk, REQUEST_ID))

    expect(calls).toEqual([
      {
        model: '@cf/meta/llama-3.3-70b-instruct-fp8-fast',
        input: { request_id: REQUEST_ID },
        queued: false,
      },
    ])
  })

  it('is not read back while it is pending', async () => {
    const { provider } = bindingWith({ status: 'queued' }, { status: 'running', responses: null })
    const sent = { ...submitted(chunk, REQUEST_ID), inputs: vi.fn() }

    for (const _ of [1, 2]) expect(await provider.read(sent)).toEqual({ kind: 'pending' })
    expect(sent.inputs).not.toHaveBeenCalled()
  })

  it.each(['queued', 'running', 'a-new-word'])('is pending while it is %s', async (status) => {
    expect(await read({ status, request_id: REQUEST_ID })).toEqual({ kind: 'pending' })
  })

  it('is done when the answer has no status, in whatever order', async () => {
    expect(await read({ responses: [answer(2), answer(0), answer(1)], usage })).toMatchObject({
      kind: 'done',
      answers: [2, 0, 1].map((at) => ({
        reference: referenceOf(at),
        index: at,
        kind: 'completed',
        output: { summary: `Summary ${at}.` },
      })),
      usage: { inputTokens: 70, outputTokens: 30 },
    })
  })

  it('with a word that nobody knows is done only when everything is there', async () => {
    const some = [answer(0), answer(1)]

    expect(await read({ status: 'draining', responses: some })).toEqual({ kind: 'pending' })
    expect(await read({ status: 'draining', responses: [...some, answer(2)] })).toMatchObject({
      kind: 'done',
    })
  })

  it.each([
    ['nothing', null],
    ['a text', 'finished'],
    ['another shape', { results: [] }],
    ['an end without answers', { status: 'completed', request_id: REQUEST_ID }],
    ['another request ID', { status: 'queued', request_id: 'another' }],
    ['answers that are no list', { responses: { 0: answer(0) } }],
  ])('with %s for an answer is no success, at unknown cost', async (_, answered) => {
    expect(await read(answered)).toEqual({
      kind: 'failed',
      class: 'invalid_output',
      retryAfterMs: null,
      usage: 'unknown',
    })
  })

  it.each(['failed', 'ERROR', 'expired', 'cancelled'])('that is %s failed', async (status) => {
    expect(await read({ status })).toMatchObject({ kind: 'failed', class: 'provider_unavailable' })
  })

  it.each([
    ['404: No such request', 'provider_unavailable'],
    ['Request not found', 'provider_unavailable'],
    [`Error: request_id "${REQUEST_ID}" was not found.`, 'provider_unavailable'],
    ['5007: No such model', 'model_not_found'],
    ['5007: Model not found', 'model_not_found'],
  ])('that the platform does not know (%s) will never be there', async (message, expected) => {
    expect(await read(new Error(message))).toMatchObject({
      kind: 'failed',
      class: expected,
      usage: 'unknown',
    })
  })

  it.each([
    '3040: x',
    '3007: x',
    '429: x',
    '5016: x',
    '3003: x',
    '5006: x',
    '5021: x',
    '9999: x',
    'Network connection lost.',
    '<html>Not found',
    'DNS record not found.',
    'Request failed: the host was not found',
    'request host not found',
    'Not found',
  ])('that cannot be read for now (%s) stays pending', async (message) => {
    const logged = vi.spyOn(console, 'log').mockImplementation(() => undefined)

    expect(await read(new Error(message))).toEqual({ kind: 'pending' })
    expect(logged).toHaveBeenCalledExactlyOnceWith(expect.stringContaining('"event":"batch.read_failed"'))
  })

  it('that a fault of ours keeps from being read is no answer of the platform', async () => {
    const fault = {
      get status() {
        throw new TypeError('ours')
      },
    }

    await expect(read(fault)).rejects.toThrow('ours')
  })
})
