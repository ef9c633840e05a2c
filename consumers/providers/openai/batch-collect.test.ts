import { describe, expect, it, vi } from 'vitest'
import { CHAT_USAGE, CHAT_VERSION, EMBEDDING_TOKENS } from '../../../test/support/openai-answers.ts'
import { referenceOf, told } from '../batch/chunk.fixture.ts'
import {
  accepted,
  answersOf,
  chunk,
  ended,
  type Fetch,
  logged,
  outcomeOf,
  provider,
  useOpenAi,
} from './batch.fixture.ts'

useOpenAi()

describe('a chunk at OpenAI', () => {
  it('is pending while it waits, and not read back', async () => {
    const sent = { ...(await accepted(chunk('batch-state:stuck'))), inputs: vi.fn() }

    expect(await provider().read(sent)).toEqual({ kind: 'pending' })
    expect(sent.inputs).not.toHaveBeenCalled()
  })

  it.each(['a_new_word', 'constructor'])('is pending while it is %s', async (status) => {
    const sent = await accepted(chunk())
    const call: Fetch = async () => Response.json({ id: sent.requestId, status, created_at: 1 })

    expect(await provider({ fetch: call }).read(sent)).toEqual({ kind: 'pending' })
  })

  it('that a fault of ours keeps from being read is no answer of the provider', async () => {
    const sent = await accepted(chunk())
    await ended(sent)
    const inputs = async () => sent.references.map((reference) => ({ reference, input: 'no input' }))

    await expect(provider().read({ ...sent, inputs })).rejects.toThrow()
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
    const found = { id: sent.requestId, status: 'completed', created_at: 1, output_file_id: 'file-1' }
    const call: Fetch = async (url) =>
      String(url).endsWith('/content') ? new Response(endless) : Response.json(found)

    expect(await provider({ fetch: call }).read(sent)).toMatchObject({
      class: 'invalid_output',
      usage: 'unknown',
    })
  })

  it('that ran to its end without a line came to nothing, at a cost that nobody knows', async () => {
    const sent = await accepted(chunk())
    const found = { id: sent.requestId, status: 'completed', created_at: 1 }
    const call: Fetch = async () => Response.json(found)

    expect(await provider({ fetch: call }).read(sent)).toEqual({
      kind: 'done',
      answers: [],
      usage: 'unknown',
      modelVersion: null,
    })
  })

  it('ends with its signal', async () => {
    const sent = await accepted(chunk('batch-read:hangs'))
    const signal = AbortSignal.timeout(200)

    await expect(provider().read({ ...sent, signal })).rejects.toThrow()
  })
})
