/** Chat completions with structured output, for the kinds that a prompt can do. */
import { z } from '@hono/zod-openapi'
import type OpenAI from 'openai'
import type { TokenUsage } from '../../../ledger/usage.ts'
import { type Attempt, failed, type ProviderRequest } from '../../provider.ts'
import { Count, estimatedTokens, parseJson, unusable } from '../answer.ts'
import { type ChatKind, type Prompt, promptFor } from '../prompts.ts'
import { type Answer, optionsFor, readAnswer } from './http.ts'

const Completion = z.object({
  id: z.string().nullish(),
  model: z.string().nullish(),
  choices: z
    .array(
      z.object({
        finish_reason: z.string().nullish(),
        message: z.object({ content: z.string().nullish(), refusal: z.string().nullish() }),
      }),
    )
    .min(1),
  usage: z.object({ prompt_tokens: Count, completion_tokens: Count }).nullish(),
})

export async function chat(
  client: OpenAI,
  model: string,
  maxOutputTokens: number,
  request: ProviderRequest & { kind: ChatKind },
): Promise<Attempt> {
  const prompt = promptFor(request.kind, request.input, request.params)
  if (!prompt) return failed('internal')
  const body = {
    model,
    messages: [
      { role: 'system' as const, content: prompt.system },
      { role: 'user' as const, content: prompt.user },
    ],
    response_format: { type: 'json_schema' as const, json_schema: { ...prompt.schema, strict: true } },
    max_completion_tokens: maxOutputTokens,
  }
  const response = await client.chat.completions.create(body, optionsFor(request)).asResponse()
  return attemptOf(await readAnswer(response, request.signal), prompt)
}

export function attemptOf({ text, requestId }: Answer, prompt: Prompt): Attempt {
  const parsed = Completion.safeParse(text === null ? undefined : parseJson(text))
  if (!parsed.success) return unusable('unknown', { providerRequestId: requestId })
  const { id, model, choices, usage: counted } = parsed.data
  const { message, finish_reason } = choices[0] ?? { message: {} }
  const usage = usageOf(counted, prompt, message.content ?? '')
  const facts = { providerRequestId: requestId ?? id ?? null, modelVersion: model ?? null }
  if (finish_reason === 'content_filter' || message.refusal)
    return { kind: 'failed', class: 'content_filtered', retryAfterMs: null, usage, ...facts }
  // Cut off at the limit of tokens, an answer is no JSON, or not all of it.
  const output = finish_reason === 'length' ? null : prompt.read(parseJson(message.content ?? ''))
  return output === null ? unusable(usage, facts) : { kind: 'completed', output, usage, ...facts }
}

const usageOf = (
  counted: { prompt_tokens: number; completion_tokens: number } | null | undefined,
  { system, user }: Prompt,
  content: string,
): TokenUsage =>
  counted
    ? { inputTokens: counted.prompt_tokens, outputTokens: counted.completion_tokens }
    : { inputTokens: estimatedTokens(system + user), outputTokens: estimatedTokens(content) }
