import { describe, expect, it } from 'vitest'
import type { KindName } from '../../catalog/kind.ts'
import type { ProviderRequest } from '../provider.ts'
import { workersAi } from './workers-ai.ts'

interface Call {
  readonly model: string
  readonly input: Record<string, unknown>
}

const transcript = {
  transcription_info: { language: 'en', duration: 3.4 },
  text: ' Hello. ',
  segments: [{ start: 0, end: 3.4, text: ' Hello.' }],
}

const requestFor = (kind: KindName, model: string, more: Partial<ProviderRequest>): ProviderRequest => ({
  kind,
  model: `workers-ai/${model}`,
  input: { file_id: 'file_1' },
  params: {},
  audio: null,
  attempt: 1,
  idempotencyKey: 'job_1-0',
  traceparent: null,
  signal: AbortSignal.timeout(20_000),
  ...more,
})

/** A binding that answers each call with the next of these. */
function bindingWith(...answers: unknown[]) {
  const calls: Call[] = []
  const run = async (model: string, input: Record<string, unknown>) => {
    calls.push({ model, input })
    const answer = answers.shift()
    if (answer instanceof Error) throw answer
    return answer
  }
  return { calls, provider: workersAi({ run }) }
}

const audio = { bytes: new Uint8Array(100_000).map((_, at) => at), contentType: 'audio/wav' }
const hear = (more: Partial<ProviderRequest> = {}) =>
  requestFor('transcribe', 'whisper-large-v3-turbo', { audio, ...more })

describe('a transcription at Workers AI', () => {
  it('sends the audio as base64, with its language, and costs its seconds', async () => {
    const { calls, provider } = bindingWith(transcript)

    const attempt = await provider.run(hear({ params: { language: 'en-GB' } }))

    expect(attempt).toMatchObject({
      kind: 'completed',
      output: { text: 'Hello.', language: 'en', segments: [{ start: 0, end: 3.4, text: 'Hello.' }] },
      usage: { inputTokens: 4, outputTokens: 0 },
    })
    expect(calls).toEqual([
      {
        model: '@cf/openai/whisper-large-v3-turbo',
        input: { audio: Buffer.from(audio.bytes).toString('base64'), task: 'transcribe', language: 'en' },
      },
    ])
  })

  it.each([
    ['no segments', { ...transcript, segments: undefined }],
    ['no text', { ...transcript, text: undefined }],
    ['another shape', { vtt: 'WEBVTT' }],
    ['nothing', null],
  ])('with %s is no answer', async (_, answer) => {
    expect(await bindingWith(answer).provider.run(hear())).toMatchObject({ class: 'invalid_output' })
  })

  it('of audio that is too large is refused before it is sent', async () => {
    const { calls, provider } = bindingWith()
    const large = { bytes: new Uint8Array(8 * 1024 * 1024 + 1), contentType: 'audio/wav' }

    expect(await provider.run(hear({ audio: large }))).toMatchObject({ class: 'input_too_large' })
    expect(calls).toEqual([])
  })
})

const embed = (params = {}) =>
  requestFor('embed', 'bge-m3', { input: { texts: Array<string>(101).fill('text') }, params })
const vectors = (count: number) => ({ data: Array.from({ length: count }, () => [1]), shape: [count, 1] })

describe('embeddings at Workers AI', () => {
  it('come in as many calls as their texts need', async () => {
    const { calls, provider } = bindingWith(vectors(100), vectors(1))

    expect(await provider.run(embed())).toMatchObject({
      kind: 'completed',
      output: { embeddings: Array(101).fill([1]), dimensions: 1024 },
      usage: { inputTokens: 101, outputTokens: 0 },
    })
    expect(calls.map(({ input }) => (input.text as string[]).length)).toEqual([100, 1])
  })

  it('that are one short are no answer, since all after it would be another text’s', async () => {
    const { provider } = bindingWith(vectors(99), vectors(2))

    expect(await provider.run(embed())).toMatchObject({ class: 'invalid_output' })
  })

  it('of dimensions that the model has not are refused', async () => {
    expect(await bindingWith().provider.run(embed({ dimensions: 512 }))).toMatchObject({
      class: 'invalid_input',
    })
  })
})

const text = () => requestFor('summarize', 'llama-3.3-70b-instruct-fp8-fast', { input: { text: 'A text.' } })

describe('text at Workers AI', () => {
  it.each([
    ['parsed', { response: { summary: 'Yes.' } }],
    ['as text', { response: '{"summary":"Yes."}' }],
  ])('may come %s, and is counted where the platform does not', async (_, answer) => {
    const attempt = await bindingWith(answer).provider.run(text())

    expect(attempt).toMatchObject({ kind: 'completed', output: { summary: 'Yes.' } })
    expect(attempt.usage).toMatchObject({ outputTokens: 5 })
  })

  it('takes the platform’s own count where there is one', async () => {
    const usage = { prompt_tokens: 7, completion_tokens: 3, total_tokens: 10 }
    const { provider } = bindingWith({ response: { summary: 'Yes.' }, usage })

    expect((await provider.run(text())).usage).toEqual({ inputTokens: 7, outputTokens: 3 })
  })

  it('that the binding refuses fails by its code', async () => {
    const { provider } = bindingWith(new Error('3040: Capacity temporarily exceeded, please try again.'))

    expect(await provider.run(text())).toMatchObject({ class: 'provider_overloaded' })
  })

  it('for a model that is not its own is refused', async () => {
    expect(await bindingWith().provider.run({ ...text(), model: 'openai/gpt-4o-mini' })).toMatchObject({
      class: 'model_not_found',
    })
  })
})
