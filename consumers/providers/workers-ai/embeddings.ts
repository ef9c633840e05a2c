/** Embeddings, in calls of as many texts as the platform takes at once. It counts no tokens, so they are estimated. */
import { z } from '@hono/zod-openapi'
import { embed } from '../../../catalog/kinds/embed.ts'
import type { Model } from '../../../catalog/models.ts'
import { type Attempt, failed, type ProviderRequest } from '../../provider.ts'
import { estimatedTokens, unusable } from '../answer.ts'
import type { Ask } from './binding.ts'

const TEXTS_A_CALL = 100

const Embedded = z.object({ data: z.array(z.array(z.unknown())) })

export async function embeddings(
  ask: Ask,
  { dimensions }: Model,
  request: ProviderRequest,
): Promise<Attempt> {
  const input = embed.input.parse(request.input)
  const { dimensions: asked } = embed.params.parse(request.params)
  if (!('texts' in input) || dimensions === null) return failed('internal')
  if (asked !== undefined && asked !== dimensions) return failed('invalid_input')
  const usage = { inputTokens: estimatedTokens(input.texts.join('')), outputTokens: 0 }
  const vectors: unknown[][] = []
  for (const text of callsOf(input.texts)) {
    const found = vectorsOf(await ask({ text }), text)
    if (!found) return unusable(usage)
    vectors.push(...found)
  }
  const output = { embeddings: vectors, dimensions }
  return { kind: 'completed', output, usage, providerRequestId: null }
}

export const callsOf = (texts: readonly string[]): string[][] =>
  Array.from({ length: Math.ceil(texts.length / TEXTS_A_CALL) }, (_, at) =>
    texts.slice(at * TEXTS_A_CALL, (at + 1) * TEXTS_A_CALL),
  )

/** One too few would give every text after it another's vector. */
export function vectorsOf(answer: unknown, texts: readonly string[]): unknown[][] | null {
  const parsed = Embedded.safeParse(answer)
  return parsed.success && parsed.data.data.length === texts.length ? parsed.data.data : null
}
