import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { KindName } from '../../catalog/kind.ts'
import { OPENAI_KEY, type OpenAiServer, startOpenAi } from '../../test/support/openai-server.ts'
import type { Attempt, ProviderRequest } from '../provider.ts'
import { openai } from './openai.ts'

let server: OpenAiServer
beforeAll(async () => {
  server = await startOpenAi()
})
afterAll(() => server.close())

const models: Record<KindName, string> = {
  summarize: 'openai/gpt-4o-mini',
  classify: 'openai/gpt-4o-mini',
  report: 'openai/gpt-4o-mini',
  embed: 'openai/text-embedding-3-small',
  transcribe: 'openai/whisper-1',
}

const audioOf = (text: string, contentType = 'audio/wav') => ({
  bytes: Uint8Array.from(Buffer.from(text)),
  contentType,
})

let keys = 0
const requestFor = (kind: KindName, more: Partial<ProviderRequest>): ProviderRequest => ({
  kind,
  model: models[kind],
  input: { file_id: 'file_1' },
  params: {},
  audio: null,
  attempt: 1,
  idempotencyKey: `job_${++keys}-0`,
  traceparent: null,
  signal: AbortSignal.timeout(20_000),
  ...more,
})

const run = (request: ProviderRequest, url = server.url): Promise<Attempt> =>
  openai({ baseUrl: url, apiKey: OPENAI_KEY, fetch, now: Date.now }).run(request)

const summarize = (text: string, more: Partial<ProviderRequest> = {}) =>
  requestFor('summarize', { input: { text }, ...more })
const transcribe = (text: string, more: Partial<ProviderRequest> = {}) =>
  requestFor('transcribe', { audio: audioOf(text), ...more })

describe('a transcription at OpenAI', () => {
  it('has text, language and segments, and costs the seconds of the audio', async () => {
    expect(await run(transcribe('RIFF....'))).toMatchObject({
      kind: 'completed',
      output: {
        text: 'Hello there.',
        language: 'en',
        segments: [
          { start: 0, end: 1.5, text: 'Hello' },
          { start: 1.5, end: 3.4, text: 'there.' },
        ],
      },
      usage: { inputTokens: 4, outputTokens: 0 },
      providerRequestId: expect.stringMatching(/^req_/),
    })
  })

  it.each([
    ['audio/wav', 'audio.wav'],
    ['audio/mpeg', 'audio.mp3'],
    ['audio/mp4', 'audio.m4a'],
    ['audio/x-flac', 'audio.flac'],
    ['audio/ogg; codecs=opus', 'audio.ogg'],
  ])('sends %s as a file named %s, with its language', async (contentType, name) => {
    const request = transcribe('', { audio: audioOf('RIFF', contentType), params: { language: 'pt-BR' } })
    await run(request)

    const asked = server.asked.find(({ key }) => key === request.idempotencyKey)
    expect(asked?.path).toBe('/v1/audio/transcriptions')
    expect(asked?.body).toMatchObject({
      model: 'whisper-1',
      response_format: 'verbose_json',
      language: 'pt',
      file: { name, bytes: 4 },
    })
  })

  it('of audio that the API does not take is refused before it is sent', async () => {
    const bytes = new Uint8Array(25 * 1024 * 1024 + 1)
    const request = requestFor('transcribe', { audio: { bytes, contentType: 'audio/wav' } })

    expect(await run(request)).toMatchObject({ kind: 'failed', class: 'input_too_large', usage: null })
    expect(server.asked.some(({ key }) => key === request.idempotencyKey)).toBe(false)
  })

  it.each([
    ['400', 'invalid_input'],
    ['413', 'input_too_large'],
    ['429-retry-after', 'rate_limited'],
    ['502-html', 'provider_unavailable'],
    ['empty-200', 'invalid_output'],
    ['other-shape', 'invalid_output'],
    ['cut', 'provider_unavailable'],
  ])('with %s fails as %s', async (fault, expected) => {
    expect(await run(transcribe(`fault:${fault}`))).toMatchObject({ kind: 'failed', class: expected })
  })
})

describe('a call of OpenAI', () => {
  it('carries key, trace and credentials, and nothing that tells of us', async () => {
    const traceparent = '00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01'
    const request = summarize('Some text.', { traceparent })
    await run(request)

    const asked = server.asked.find(({ key }) => key === request.idempotencyKey)
    expect(asked?.headers).toMatchObject({ traceparent, authorization: `Bearer ${OPENAI_KEY}` })
    expect(asked?.headers).not.toHaveProperty('openai-organization')
  })

  it.each([
    ['that breaks off within the answer leaves the cost unknown', 'cut-in-body', 'unknown'],
    ['that breaks off before it costs nothing', 'cut', null],
  ])('%s', async (_, fault, usage) => {
    expect(await run(summarize(`fault:${fault}`))).toMatchObject({
      kind: 'failed',
      class: 'provider_unavailable',
      usage,
    })
  })

  it('to nobody is a provider that is unavailable', async () => {
    const attempt = await run(summarize('x'), 'http://127.0.0.1:9/v1')

    expect(attempt).toMatchObject({ kind: 'failed', class: 'provider_unavailable' })
  })

  it('is made once, whatever comes of it, and follows no redirect', async () => {
    for (const fault of ['500', '429', 'redirect', 'cut']) {
      const request = summarize(`fault:${fault}`)
      await run(request)
      expect(server.asked.filter(({ key }) => key === request.idempotencyKey)).toHaveLength(1)
    }
    expect(server.asked.some(({ path }) => path === '/elsewhere')).toBe(false)
  })

  it.each(['hangs', 'hangs-in-body', 'drips'])(
    'that does not end (%s) ends with its signal',
    async (fault) => {
      const signal = AbortSignal.timeout(500)

      await expect(run(summarize(`fault:${fault}`, { signal }))).rejects.toThrow()
      expect(signal.aborted).toBe(true)
    },
  )

  it('that is answered again under one key is one effect', async () => {
    const request = summarize('Some text.')
    await run(request)
    await run(request)

    expect(server.effects.get(request.idempotencyKey)).toBe(1)
  })

  it('for a model that is not its own is refused', async () => {
    const request = { ...summarize('x'), model: 'embedded/extract-1' }

    expect(await run(request)).toMatchObject({ class: 'model_not_found' })
  })

  it('keeps what a bad answer cost, and its ID', async () => {
    expect(await run(summarize('fault:no-json'))).toMatchObject({
      class: 'invalid_output',
      usage: { inputTokens: 1000, outputTokens: 200 },
      providerRequestId: expect.stringMatching(/^req_/),
      modelVersion: 'gpt-4o-mini-2024-07-18',
    })
  })
})
