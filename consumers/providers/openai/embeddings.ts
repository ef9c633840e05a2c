/** Embeddings. Whether the vectors are ones is the kind's to say; here is only made sure which text each belongs to. */
import { z } from '@hono/zod-openapi'
import type OpenAI from 'openai'
import { embed } from '../../../catalog/kinds/embed.ts'
import { type Attempt, failed, type ProviderRequest } from '../../provider.ts'
import { Count, estimatedTokens, parseJson, unusable } from '../answer.ts'
import { optionsFor, readAnswer } from './http.ts'

const Embeddings = z.object({
  model: z.string().nullish(),
  data: z.array(z.object({ index: z.int().min(0), embedding: z.array(z.unknown()) })),
  usage: z.object({ prompt_tokens: Count }).nullish(),
})

type Asked = Pick<ProviderRequest, 'input' | 'params'>

export async function embeddings(
  client: OpenAI,
  model: string,
  ownDimensions: number | null,
  request: ProviderRequest,
): Promise<Attempt> {
  const task = embeddingsTask(model, ownDimensions, request)
  if (!task) return failed('internal')
  const response = await client.embeddings.create(task.body, optionsFor(request)).asResponse()
  const { text, requestId } = await readAnswer(response, request.signal)
  return task.read(text === null ? undefined : parseJson(text), requestId)
}

/** Null where the content lies in a file that was not resolved. */
export function embeddingsTask(model: string, ownDimensions: number | null, asked: Asked) {
  const input = embed.input.parse(asked.input)
  const { dimensions } = embed.params.parse(asked.params)
  if (!('texts' in input)) return null
  const { texts } = input
  const body = {
    model,
    input: texts,
    encoding_format: 'float' as const,
    ...(dimensions !== undefined && { dimensions }),
  }
  const length = dimensions ?? ownDimensions ?? 0
  return {
    body,
    read: (answer: unknown, requestId: string | null) => attemptOf(answer, requestId, texts, length),
  }
}

function attemptOf(answer: unknown, requestId: string | null, texts: string[], dimensions: number): Attempt {
  const parsed = Embeddings.safeParse(answer)
  if (!parsed.success) return unusable('unknown', { providerRequestId: requestId })
  const { model, data, usage: counted } = parsed.data
  const usage = { inputTokens: counted?.prompt_tokens ?? estimatedTokens(texts.join('')), outputTokens: 0 }
  const facts = { providerRequestId: requestId, modelVersion: model ?? null }
  const sorted = data.toSorted((a, b) => a.index - b.index)
  // A place that comes twice would put every text after it in the wrong one.
  if (sorted.some(({ index }, at) => index !== at)) return unusable(usage, facts)
  const output = { embeddings: sorted.map(({ embedding }) => embedding), dimensions }
  return { kind: 'completed', output, usage, ...facts }
}
