/**
 * What the stand-in for Workers AI answers to single items, in the shapes of the binding. It misbehaves when the content says so:
 * `fault:3040` throws with that code, other names give other answers.
 */
import { contentFor } from './openai-answers.ts'
import { type BatchInput, type BatchItem, pollBatch, submitBatch } from './workers-ai-batches.ts'

interface Input {
  /** A text alone, in batches. */
  readonly prompt?: string
  readonly messages?: { role: string; content: string }[]
  readonly response_format?: { json_schema: { properties: object } }
  readonly text?: string[]
  readonly audio?: string
}

const DIMENSIONS = 1024
const schemas: Record<string, string> = { scores: 'classification', markdown: 'report', summary: 'summary' }

const vectorsOf = ({ text = [] }: Input, length: number, first: unknown = 1) => ({
  shape: [text.length, length],
  data: text.map((one) => Array.from({ length }, (_, at) => (at === 0 ? first : one.length))),
  pooling: 'cls',
})

/** Wrong answers by name. */
const faults: Record<string, (input: Input) => unknown> = {
  empty: () => null,
  text: () => 'Here is your summary.',
  'other-shape': () => ({ result: { items: [] } }),
  'no-json': () => ({ response: 'Here is your summary: all is well.' }),
  blank: () => ({ response: { summary: ' ' } }),
  nan: (input) => vectorsOf(input, DIMENSIONS, Number.NaN),
  null: (input) => vectorsOf(input, DIMENSIONS, null),
  dimension: (input) => vectorsOf(input, 8),
  few: ({ text = [] }) => vectorsOf({ text: text.slice(1) }, DIMENSIONS),
  // With a timer: what waits for nothing at all is ended by the runtime.
  hangs: () => new Promise((resolve) => setTimeout(resolve, 60_000)),
  'as-text': (input) => {
    const { response } = generated(input)
    return { response: JSON.stringify(response) }
  },
}

function generated({ messages = [], prompt = '', response_format }: Input) {
  const [first = ''] = Object.keys(response_format?.json_schema.properties ?? {})
  const user = messages.find(({ role }) => role === 'user')?.content ?? prompt
  const usage = { prompt_tokens: 800, completion_tokens: 100, total_tokens: 900 }
  return { response: contentFor(schemas[first] ?? '', user), usage, tool_calls: [] }
}

const heard = () => ({
  transcription_info: { language: 'en', language_probability: 1, duration: 3.4, duration_after_vad: 3 },
  text: 'Hello there.',
  word_count: 2,
  segments: [{ start: 0, end: 3.4, text: ' Hello there.', avg_logprob: 0, words: [] }],
  vtt: 'WEBVTT',
})

export class AiError extends Error {
  override readonly name = 'InferenceUpstreamError'
}

export type AnyInput = Input & BatchInput

/** The method of the binding. */
export async function runAi(
  model: string,
  input: AnyInput,
  options?: { queueRequest?: boolean },
): Promise<unknown> {
  if (options?.queueRequest && input.requests) return submitBatch(model, input.requests)
  if (input.request_id !== undefined)
    return pollBatch(model, input.request_id, (item) => batched(model, item))
  return answerTo(model, input)
}

/** In batches the answer of a chat comes as text. */
function batched(model: string, item: BatchItem): unknown {
  const answer = answerTo(model, item as Input)
  const { response } = (answer ?? {}) as { response?: unknown }
  return typeof response === 'object' ? { ...(answer as object), response: JSON.stringify(response) } : answer
}

function answerTo(model: string, input: Input): unknown {
  const told = input.audio === undefined ? JSON.stringify(input) : atob(input.audio)
  const [, fault = ''] = /fault:([a-z0-9-]+)/.exec(told) ?? []
  if (/^\d+$/.test(fault)) throw new AiError(`${fault}: PROMPT-ECHO, something is wrong.`)
  const misbehave = faults[fault]
  if (misbehave) return misbehave(input)
  if (model === '@cf/baai/bge-m3') return vectorsOf(input, DIMENSIONS)
  if (model === '@cf/openai/whisper-large-v3-turbo') return heard()
  if (model.startsWith('@cf/meta/llama-')) return generated(input)
  throw new AiError(`5007: No such model ${model} or task`)
}
