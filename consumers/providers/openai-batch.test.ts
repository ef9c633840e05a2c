import { setTimeout } from 'node:timers/promises'
import {
  afterAll,
  afterEach,
  beforeAll,
  beforeEach,
  describe,
  expect,
  it,
  type MockInstance,
  vi,
} from 'vitest'
import { CHAT_USAGE, CHAT_VERSION, EMBEDDING_TOKENS } from '../../test/support/openai-answers.ts'
import { OPENAI_KEY, type OpenAiServer, startOpenAi } from '../../test/support/openai-server.ts'
import type { BatchProvider, ChunkRead, ChunkRequest, SubmittedChunk } from '../batch-provider.ts'
import { chunkOf, referenceOf, submitted, told } from './batch/chunk.fixture.ts'
import { openaiBatch } from './openai-batch.ts'

const MODEL = 'openai/gpt-4o-mini'

let server: OpenAiServer
beforeAll(async () => {
  server = await startOpenAi()
})
afterAll(() => server.close())
let logged: MockInstance
beforeEach(() => {
  logged = vi.spyOn(console, 'log').mockImplementation(() => undefined)
})
afterEach(() => void vi.restoreAllMocks())

type Fetch = typeof fetch
const provider = (more: { url?: string; fetch?: Fetch; since?: number } = {}): BatchProvider => {
  const { url = server.url, fetch: call = fetch, since = Date.now() } = more
  return openaiBatch({ baseUrl: url, apiKey: OPENAI_KEY, fetch: call, now: Date.now, since })
}

let keys = 0
/** A chunk of three texts to summarise, of which the first says what goes wrong. */
const chunk = (wrong = '', more: Partial<ChunkRequest> = {}): ChunkRequest => {
  const right = chunkOf(MODEL, 3, { key: `batch_${++keys}-0-0-1` })
  const items = right.items.map((item, at) =>
    at === 0 ? { ...item, input: { text: `A text. ${wrong}` } } : item,
  )
  return { ...right, items, ...more }
}

async function accepted(request: ChunkRequest): Promise<SubmittedChunk> {
  const outcome = await provider().submit(request)
  if (outcome.kind !== 'accepted') throw new Error(JSON.stringify(outcome))
  return submitted(request, outcome.requestId)
}

/** What a chunk comes to when it is not pending any more. */
async function ended(sent: SubmittedChunk): Promise<ChunkRead> {
  for (;;) {
    const read = await provider().read(sent)
    if (read.kind !== 'pending') return read
    await setTimeout(10)
  }
}
const outcomeOf = async (wrong: string) => ended(await accepted(chunk(wrong)))

const answersOf = (read: ChunkRead) => (read.kind === 'done' ? read.answers : [])
const askedFor = (key: string) => server.asked.find((asked) => asked.key === key)

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
    ['upload', '413', 'input_too_large'],
    ['upload', '500', 'provider_unavailable'],
    ['upload', 'cut', 'provider_unavailable'],
    ['upload', 'empty-200', 'invalid_output'],
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
      'input_too_large',
    ],
  ])('%s is not sent', async (_, more, expected) => {
    const before = server.asked.length

    expect(await provider().submit(chunk('', more))).toMatchObject({ kind: 'failed', class: expected })
    expect(server.asked.length).toBe(before)
  })
})

describe('a chunk whose outcome at OpenAI is unknown', () => {
  it.each(['cut-in-body', 'empty-200'])('is found by its key after %s', async (fault) => {
    const request = chunk(`batch-create:${fault}`)
    await provider().submit(request)
    const found = await provider().reconcile(request)
    if (found.kind !== 'found') throw new Error(found.kind)

    expect(answersOf(await ended(submitted(request, found.requestId)))).toHaveLength(3)
    expect(server.effects.get(request.key)).toBe(1)
  })

  it('is absent when it never came', async () => {
    const request = chunk('batch-create:500')
    await provider().submit(request)

    expect(await provider().reconcile(request)).toEqual({ kind: 'absent' })
  })

  it('cannot be told now when the list cannot be read', async () => {
    expect(await provider({ url: 'http://127.0.0.1:9/v1' }).reconcile(chunk())).toEqual({
      kind: 'unknowable',
      later: true,
    })
    const html = async () => new Response('<html>', { headers: { 'Content-Type': 'text/html' } })
    expect(await provider({ fetch: html }).reconcile(chunk())).toEqual({ kind: 'unknowable', later: true })
  })

  describe('among many', () => {
    const batch = (at: number, created_at: number, key = 'another') => ({
      id: `batch_${at}`,
      status: 'completed',
      created_at,
      metadata: { submission: key },
    })
    /** Answers with these pages, the last one for ever. */
    const listOf = (...pages: ReturnType<typeof batch>[][]) => {
      const asked: string[] = []
      const call: Fetch = async (url) => {
        asked.push(String(url))
        return Response.json({ data: pages[Math.min(asked.length, pages.length) - 1] })
      }
      return { asked, call }
    }
    const since = Date.UTC(2026, 10, 30)
    const now = since / 1000

    it('is looked for on all pages', async () => {
      const request = chunk()
      const { call, asked } = listOf([batch(1, now)], [batch(2, now)], [batch(3, now, request.key)])

      expect(await provider({ fetch: call, since }).reconcile(request)).toMatchObject({
        requestId: 'batch_3',
      })
      expect(asked.map((url) => new URL(url).searchParams.get('after'))).toEqual([null, 'batch_1', 'batch_2'])
    })

    it('is not looked for among those that are older than it can be', async () => {
      const { call, asked } = listOf([batch(1, now)], [batch(2, now - 7200)])

      expect(await provider({ fetch: call, since }).reconcile(chunk())).toEqual({ kind: 'absent' })
      expect(asked).toHaveLength(2)
    })

    it('is not looked for without an end', async () => {
      const { call } = listOf([batch(1, now)])

      expect(await provider({ fetch: call, since }).reconcile(chunk())).toEqual({ kind: 'unknowable' })
    })
  })
})

describe('a chunk at OpenAI', () => {
  it('is pending while it waits', async () => {
    expect(await provider().read(await accepted(chunk('batch-state:stuck')))).toEqual({ kind: 'pending' })
  })

  it('is done in another order than it was sent', async () => {
    const read = await outcomeOf('')

    expect(read).toMatchObject({
      kind: 'done',
      answers: [2, 1, 0].map((at) => ({
        reference: referenceOf(at),
        kind: 'completed',
        output: { summary: 'Everybody has rights.' },
        usage: { inputTokens: CHAT_USAGE.prompt_tokens, outputTokens: CHAT_USAGE.completion_tokens },
      })),
      usage: { inputTokens: 3 * CHAT_USAGE.prompt_tokens, outputTokens: 3 * CHAT_USAGE.completion_tokens },
      modelVersion: CHAT_VERSION,
    })
  })

  it('of embeddings has the vectors of each text', async () => {
    const items = [['one'], ['two two', 'three']].map((texts, at) => ({
      reference: referenceOf(at),
      input: { texts },
    }))
    const more = {
      kind: 'embed',
      model: 'openai/text-embedding-3-small',
      params: { dimensions: 8 },
      items,
    } as const
    const read = await ended(await accepted(chunk('', more)))
    const [second, first] = answersOf(read)

    expect(first).toMatchObject({ output: { embeddings: [[3, ...Array(7).fill(0.5)]], dimensions: 8 } })
    expect(second).toMatchObject({
      output: {
        embeddings: [
          [7, ...Array(7).fill(0.5)],
          [5, ...Array(7).fill(0.5)],
        ],
      },
    })
    expect(read).toMatchObject({ usage: { inputTokens: 2 * EMBEDDING_TOKENS, outputTokens: 0 } })
  })

  it('in a state whose word nobody knows is pending', async () => {
    const sent = await accepted(chunk('batch-state:new-word'))

    expect(await provider().read(sent)).toEqual({ kind: 'pending' })
    expect(answersOf(await ended(sent))).toHaveLength(3)
  })

  it.each([
    ['expired', 'timeout'],
    ['expired-silent', 'timeout'],
    ['cancelled', 'provider_unavailable'],
  ])('that is %s keeps what was done, and the rest failed of %s', async (state, rest) => {
    const read = await outcomeOf(`batch-state:${state}`)

    expect(told(answersOf(read))).toEqual(['completed', 'completed', rest])
    expect(read).toMatchObject({ usage: { inputTokens: 2000, outputTokens: 400 } })
  })

  it.each([
    ['batch-state:expired-bare', 'timeout', { inputTokens: 0, outputTokens: 0 }],
    ['batch-state:failed', 'internal', null],
    ['batch-state:token-limit', 'rate_limited', null],
    ['batch-state:others', 'invalid_output', 'unknown'],
    ['batch-read:404', 'provider_unavailable', 'unknown'],
    ['batch-content:404', 'provider_unavailable', 'unknown'],
  ])('with %s failed of %s', async (wrong, expected, usage) => {
    expect(await outcomeOf(wrong)).toEqual({ kind: 'failed', class: expected, retryAfterMs: null, usage })
  })

  it('with no line of an answer has none for any item', async () => {
    const usage = { inputTokens: 3000, outputTokens: 600 }

    expect(await outcomeOf('batch-answers:none')).toMatchObject({ kind: 'done', answers: [], usage })
  })

  it.each([
    'read:500',
    'read:401',
    'read:429',
    'read:cut',
    'read:cut-in-body',
    'read:html-200',
    'read:other-shape',
  ])('that cannot be read for now (%s) stays pending', async (fault) => {
    const sent = await accepted(chunk(`batch-${fault}:once`))

    expect(await provider().read(sent)).toEqual({ kind: 'pending' })
    expect(logged).toHaveBeenCalledWith(expect.stringContaining('"event":"batch.read_failed"'))
    expect(await ended(sent)).toMatchObject({ kind: 'done' })
  })

  it('whose files break off is read again', async () => {
    expect(answersOf(await outcomeOf('batch-content:cut-in-body:once'))).toHaveLength(3)
    expect(logged).toHaveBeenCalledWith(expect.stringContaining('"class":"provider_unavailable"'))
  })

  it('whose answers are longer than any could be is no answer', async () => {
    const sent = await accepted(chunk())
    await ended(sent)
    const line = new TextEncoder().encode(`${'x'.repeat(1024 * 1024 - 1)}\n`)
    const endless = new ReadableStream({ pull: (controller) => controller.enqueue(line) })
    const call: Fetch = async (url, init) =>
      String(url).endsWith('/content') ? new Response(endless) : fetch(url, init)

    expect(await provider({ fetch: call }).read(sent)).toMatchObject({ class: 'invalid_output' })
  })

  it('ends with its signal', async () => {
    const sent = await accepted(chunk('batch-read:hangs'))
    const signal = AbortSignal.timeout(200)

    await expect(provider().read({ ...sent, signal })).rejects.toThrow()
  })
})

describe('an answer of a batch at OpenAI', () => {
  it.each([
    ['400', 'invalid_input'],
    ['400-context-length', 'input_too_large'],
    ['429', 'rate_limited'],
    ['500', 'provider_unavailable'],
    ['content-filter', 'content_filtered'],
    ['no-json', 'invalid_output'],
    ['other-shape', 'invalid_output'],
    ['empty-200', 'invalid_output'],
    ['cut-off', 'invalid_output'],
  ])('with %s fails as %s, and the others do not', async (fault, expected) => {
    expect(told(answersOf(await outcomeOf(`fault:${fault}`)))).toEqual([expected, 'completed', 'completed'])
  })

  const foreign = 'f'.repeat(32)
  it.each([
    ['twice', [referenceOf(0), referenceOf(1), referenceOf(2), referenceOf(2)]],
    ['foreign', [referenceOf(0), referenceOf(1), referenceOf(2), foreign]],
    ['missing', [referenceOf(0), referenceOf(1)]],
    ['nameless', ['null', referenceOf(0), referenceOf(1)]],
    ['broken', ['null', referenceOf(0), referenceOf(1)]],
  ])(
    'keeps the reference that it says it has (%s), for the verification to judge',
    async (wrong, expected) => {
      const answers = answersOf(await outcomeOf(`batch-answers:${wrong}`))

      expect(answers.map(({ reference }) => String(reference)).toSorted()).toEqual(expected.toSorted())
      for (const { reference, kind } of answers)
        if (reference === null || reference === foreign) expect(kind).toBe('failed')
    },
  )

  it('without a response or an error is no success', async () => {
    const read = await outcomeOf('batch-answers:other-shape')

    expect(told(answersOf(read))).toEqual(Array(3).fill('invalid_output'))
  })
})

describe('the files of a chunk at OpenAI', () => {
  const filesOf = ({ key }: ChunkRequest) => {
    const input = askedFor(key)?.body.input_file_id
    return { input: server.files.has(String(input)), all: server.files.size }
  }

  it('are deleted: the input when the answers are read, the others when these are stored', async () => {
    const before = server.files.size
    const sent = await accepted(chunk('fault:400'))
    expect(filesOf(sent).input).toBe(true)
    await ended(sent)
    expect(filesOf(sent)).toEqual({ input: false, all: before + 2 })
    await provider().forget?.(sent)

    expect(server.files.size).toBe(before)
  })

  it('of another submission are not touched', async () => {
    const sent = await accepted(chunk('batch-state:others'))
    await ended(sent)
    await provider().forget?.(sent)

    expect(filesOf(sent).input).toBe(true)
  })

  it('may stay when they cannot be deleted', async () => {
    const sent = await accepted(chunk('batch-delete:500'))

    expect(await ended(sent)).toMatchObject({ kind: 'done' })
    await expect(provider().forget?.(sent)).resolves.toBeUndefined()
  })

  it('do not stay when the batch is refused', async () => {
    const before = server.files.size
    await provider().submit(chunk('batch-create:400'))

    expect(server.files.size).toBe(before)
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
