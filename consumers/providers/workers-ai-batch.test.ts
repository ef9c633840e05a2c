import { afterEach, describe, expect, it, vi } from 'vitest'
import type { ChunkRead, ChunkRequest } from '../batch-provider.ts'
import { chunkOf, referenceOf, submitted, told } from './batch/chunk.fixture.ts'
import { workersAiBatch } from './workers-ai-batch.ts'

interface Call {
  readonly model: string
  readonly input: Record<string, unknown>
  readonly queued: boolean
}

const LLAMA = 'workers-ai/llama-3.3-70b-instruct-fp8-fast'
const REQUEST_ID = '768f15b7-4fd6-4498-906e-ad94ffc7f8d2'
const usage = { prompt_tokens: 70, completion_tokens: 30, total_tokens: 100 }

/** A binding that answers each call with the next of these. */
function bindingWith(...answers: unknown[]) {
  const calls: Call[] = []
  const run = async (model: string, input: Record<string, unknown>, options: { queueRequest?: true }) => {
    calls.push({ model, input, queued: options.queueRequest === true })
    const answer = answers.shift()
    if (answer instanceof Error) throw answer
    return answer
  }
  return { calls, provider: workersAiBatch({ run }) }
}

const chunk = chunkOf(LLAMA, 3)
const texts = (count: number) => Array<string>(count).fill('a text')
const embedding = (counts: number[], more: Partial<ChunkRequest> = {}) =>
  chunkOf('workers-ai/bge-m3', 0, {
    kind: 'embed',
    items: counts.map((count, at) => ({ reference: referenceOf(at), input: { texts: texts(count) } })),
    ...more,
  })

/** The finished answer to one request. */
const answer = (at: number, more: object = {}) => ({
  id: at,
  external_reference: referenceOf(at),
  success: true,
  result: { response: `{"summary":"Summary ${at}."}` },
  ...more,
})

const vectors = (id: number, external_reference: string, count: number, value = 1) => ({
  id,
  external_reference,
  success: true,
  result: { shape: [count, 1024], data: Array.from({ length: count }, () => [value]), pooling: 'cls' },
})

const read = (answered: unknown, request: ChunkRequest = chunk): Promise<ChunkRead> =>
  bindingWith(answered).provider.read(submitted(request, REQUEST_ID))

async function answersOf(responses: unknown[], request: ChunkRequest = chunk) {
  const outcome = await read({ responses, usage }, request)
  if (outcome.kind !== 'done') throw new Error(outcome.kind)
  return outcome.answers
}

afterEach(() => vi.restoreAllMocks())

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
    ['5007: No such model', 'model_not_found'],
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
    '9999: x',
    'Network connection lost.',
    '<html>Not found',
  ])('that cannot be read for now (%s) stays pending', async (message) => {
    const logged = vi.spyOn(console, 'log').mockImplementation(() => undefined)

    expect(await read(new Error(message))).toEqual({ kind: 'pending' })
    expect(logged).toHaveBeenCalledExactlyOnceWith(expect.stringContaining('"event":"batch.read_failed"'))
  })
})

describe('an answer of a batch at Workers AI', () => {
  it.each([
    ['as text', { response: '{"summary":"Yes."}' }],
    ['parsed', { response: { summary: 'Yes.' } }],
    ['nested', { result: { response: '{"summary":"Yes."}' } }],
    ['bare', '{"summary":"Yes."}'],
    ['bare and nested', { result: '{"summary":"Yes."}' }],
  ])('may come %s', async (_, result) => {
    expect(await answersOf([answer(0, { result })])).toMatchObject([
      { kind: 'completed', output: { summary: 'Yes.' } },
    ])
  })

  it.each([
    ['no form', {}],
    ['null', null],
    ['nothing', undefined],
    ['an empty text', { response: ' ' }],
    ['an empty text, nested', { result: { response: '' } }],
    ['null in a form', { response: null, usage: { prompt_tokens: 5, completion_tokens: 0 } }],
    ['no vectors', { shape: [0, 1024], data: [] }],
  ])('that is a success with %s for a result is told as that', async (_, result) => {
    expect(await answersOf([answer(0, { result })])).toMatchObject([
      { reference: referenceOf(0), index: 0, kind: 'completed', output: null },
    ])
  })

  it.each([
    ['is a number', { result: { response: 5 } }],
    ['has another form', { result: { text: 'Yes.' } }],
    ['is no JSON', { result: { response: 'Here is your summary.' } }],
    ['says nothing of success', { success: undefined }],
    ['says success in a word', { success: 'true' }],
  ])('that %s is no success', async (_, more) => {
    expect(await answersOf([answer(0, more)])).toMatchObject([
      { reference: referenceOf(0), kind: 'failed', class: 'invalid_output' },
    ])
  })

  it.each([
    [undefined, 'invalid_output'],
    [[], 'invalid_output'],
    [[{ code: 3006, message: 'x' }], 'input_too_large'],
    [[{ code: 'constructor' }], 'invalid_output'],
    [['5021: too long'], 'input_too_large'],
    ['3040: x', 'provider_overloaded'],
  ])('that failed with %j is %s', async (errors, expected) => {
    expect(await answersOf([answer(0, { success: false, errors })])).toMatchObject([{ class: expected }])
  })

  it('keeps what it says it is, for the verification to judge', async () => {
    const all = await answersOf([
      answer(1),
      answer(1),
      answer(0, { external_reference: 'another' }),
      answer(2, { external_reference: null }),
      answer(9, { external_reference: null }),
      answer(2, { id: 7 }),
      'no object',
    ])

    expect(all.map(({ reference, index, kind }) => [reference, index, kind])).toEqual([
      [referenceOf(1), 1, 'completed'],
      [referenceOf(1), 1, 'completed'],
      [referenceOf(2), 7, 'completed'],
      [null, 2, 'completed'],
      ['another', 0, 'failed'],
      [null, 9, 'failed'],
      [null, null, 'failed'],
    ])
  })

  it('is counted item by item where the platform does not count', async () => {
    const counted = { response: '{"summary":"Yes."}', usage: { prompt_tokens: 5, completion_tokens: 2 } }
    const responses = [answer(0, { result: counted }), answer(1, { result: counted })]

    expect(await read({ responses })).toMatchObject({ usage: { inputTokens: 10, outputTokens: 4 } })
  })
})

describe('embeddings in a batch at Workers AI', () => {
  const [first, second] = [referenceOf(0), referenceOf(1)]
  const request = embedding([2, 101])
  const parts = [vectors(2, `${second}.1`, 1, 3), vectors(0, first, 2), vectors(1, `${second}.0`, 100, 2)]

  it('are put together from their parts, nested or not', async () => {
    const [nested, ...plain] = parts
    const answers = await answersOf([{ ...nested, result: { result: nested?.result } }, ...plain], request)

    expect(answers).toEqual([
      {
        reference: second,
        index: 1,
        kind: 'completed',
        output: { embeddings: [...Array(100).fill([2]), [3]], dimensions: 1024 },
        usage: { inputTokens: 152, outputTokens: 0 },
      },
      {
        reference: first,
        index: 0,
        kind: 'completed',
        output: { embeddings: [[1], [1]], dimensions: 1024 },
        usage: { inputTokens: 3, outputTokens: 0 },
      },
    ])
  })

  it('of which a part is missing are missing', async () => {
    expect(told(await answersOf(parts.slice(1), request))).toEqual(['completed'])
  })

  it('of which a part failed, or is one short, failed', async () => {
    const [last, ...others] = parts
    const failed = await answersOf([{ ...last, success: false }, ...others], request)
    const short = await answersOf([vectors(2, `${second}.1`, 0), ...others], request)

    expect(told(failed)).toEqual(['completed', 'invalid_output'])
    expect(told(short)).toEqual(['completed', 'invalid_output'])
  })

  it('of which a part came twice show it', async () => {
    const answers = await answersOf([...parts, vectors(2, `${second}.1`, 1, 4)], request)

    expect(answers.map(({ reference }) => reference)).toEqual([second, second, first])
  })
})
