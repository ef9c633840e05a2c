/**
 * A chunk as the requests that Workers AI takes, and its answers put together again. An item is one request, or several where it holds
 * more texts than the platform embeds at once; each carries the item's reference, with the part's number where there are several.
 */
import { embed } from '../../../catalog/kinds/embed.ts'
import type { Model } from '../../../catalog/models.ts'
import type { TokenUsage } from '../../../ledger/usage.ts'
import type { FailureClass } from '../../../openapi/job-words.ts'
import type { ChunkCall, ChunkInput } from '../../batch-provider.ts'
import type { Attempt } from '../../provider.ts'
import { estimatedTokens, unusable } from '../answer.ts'
import { type ChatKind, promptFor } from '../prompts.ts'
import { attemptOf, promptBody } from './chat.ts'
import { callsOf, vectorsOf } from './embeddings.ts'

export interface Part {
  readonly reference: string
  /** The item it is of, by its place in the chunk, and how many it has. */
  readonly item: number
  readonly part: number
  readonly parts: number
  readonly body: Record<string, unknown>
  read(result: unknown): Attempt
}

type OfItem = Pick<Part, 'body' | 'read'>[]

/** Why not, where an item is none that can be sent in a batch. */
export function partsOf(
  model: Model,
  { kind, params }: ChunkCall,
  items: readonly ChunkInput[],
): Part[] | FailureClass {
  if (kind === 'transcribe') return 'unsupported_kind'
  const all: Part[] = []
  for (const [item, input] of items.entries()) {
    const parts = kind === 'embed' ? embedding(model, input, params) : chatting(model, kind, input, params)
    if (typeof parts === 'string') return parts
    all.push(...parts.map((part, at) => ({ ...part, item, part: at, ...namedOf(input, at, parts.length) })))
  }
  return all
}

const namedOf = ({ reference }: ChunkInput, part: number, parts: number) => ({
  reference: parts === 1 ? reference : `${reference}.${part}`,
  parts,
})

function chatting(
  model: Model,
  kind: ChatKind,
  { input }: ChunkInput,
  params: unknown,
): OfItem | FailureClass {
  const prompt = promptFor(kind, input, params)
  if (!prompt) return 'internal'
  return [
    {
      body: promptBody(prompt, model.maxOutputTokens),
      read: (result) => attemptOf(typeof result === 'string' ? { response: result } : result, prompt),
    },
  ]
}

function embedding({ dimensions }: Model, item: ChunkInput, params: unknown): OfItem | FailureClass {
  const input = embed.input.parse(item.input)
  const { dimensions: asked = dimensions } = embed.params.parse(params)
  if (!('texts' in input) || dimensions === null) return 'internal'
  if (asked !== dimensions) return 'invalid_input'
  return callsOf(input.texts).map((text) => ({
    body: { text },
    read(result) {
      const usage = { inputTokens: estimatedTokens(text.join('')), outputTokens: 0 }
      const vectors = vectorsOf(result, text)
      if (!vectors) return unusable(usage)
      const output = { embeddings: vectors, dimensions }
      return { kind: 'completed', output, usage, providerRequestId: null }
    },
  }))
}

/** The attempt at an item whose parts came to these, in their order. */
export function joined(attempts: readonly Attempt[]): Attempt {
  const [first = unusable('unknown')] = attempts
  if (attempts.length <= 1) return first
  const usage = sumOf(attempts)
  const failure = attempts.find(({ kind }) => kind === 'failed')
  if (failure?.kind === 'failed') return { ...failure, usage }
  const outputs = attempts.flatMap((one) =>
    one.kind === 'completed' ? [embed.output.safeParse(one.output)] : [],
  )
  const embeddings = outputs.flatMap(({ data }) => data?.embeddings ?? [])
  if (usage === 'unknown' || outputs.some(({ success }) => !success)) return unusable(usage)
  const output = { embeddings, dimensions: outputs[0]?.data?.dimensions }
  return { kind: 'completed', output, usage, providerRequestId: null }
}

function sumOf(attempts: readonly Attempt[]): TokenUsage | 'unknown' {
  let inputTokens = 0
  for (const { usage } of attempts) {
    if (usage === 'unknown') return 'unknown'
    inputTokens += usage?.inputTokens ?? 0
  }
  return { inputTokens, outputTokens: 0 }
}
