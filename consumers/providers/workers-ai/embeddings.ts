/** Embeddings, in calls of as many texts as the platform takes at once. It counts no tokens, so they are estimated. */
import { z } from '@hono/zod-openapi'
import { embed } from '../../../catalog/kinds/embed.ts'
import type { Model } from '../../../catalog/models.ts'
import { type Attempt, failed, type ProviderRequest } from '../../provider.ts'
import { estimatedTokens, unusable } from '../answer.ts'
import type { Ask } from '../workers-ai.ts'

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
  for (let at = 0; at < input.texts.length; at += TEXTS_A_CALL) {
    const text = input.texts.slice(at, at + TEXTS_A_CALL)
    const parsed = Embedded.safeParse(await ask({ text }))
    // One too few here would give every text after it another's vector.
    if (!parsed.success || parsed.data.data.length !== text.length) return unusable(usage)
    vectors.push(...parsed.data.data)
  }
  const output = { embeddings: vectors, dimensions }
  return { kind: 'completed', output, usage, providerRequestId: null }
}
