/** Chat completions with structured output, for the kinds that a prompt can do. */
import { z } from '@hono/zod-openapi'
import type OpenAI from 'openai'
import type { TokenUsage } from '../../../ledger/usage.ts'
import { type Attempt, failed, type ProviderRequest } from '../../provider.ts'
import { Count, estimatedTokens, parseJson, unusable } from '../answer.ts'
import { type ChatKind, type Prompt, promptFor } from '../prompts.ts'
import { optionsFor, readAnswer } from './http.ts'

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

type Asked = Pick<ProviderRequest, 'input' | 'params'> & { readonly kind: ChatKind }

export async function chat(
  client: OpenAI,
  model: string,
  maxOutputTokens: number,
  request: ProviderRequest & { kind: ChatKind },
): Promise<Attempt> {
  const task = chatTask(model, maxOutputTokens, request)
  if (!task) return failed('internal')
  const response = await client.chat.completions.create(task.body, optionsFor(request)).asResponse()
  const { text, requestId } = await readAnswer(response, request.signal)
  return task.read(text === null ? undefined : parseJson(text), requestId)
}

/** Null where the content lies in a file that was not resolved. */
export function chatTask(model: string, maxOutputTokens: number, { kind, input, params }: Asked) {
  const prompt = promptFor(kind, input, params)
  if (!prompt) return null
  const body = {
    model,
    messages: [
      { role: 'system' as const, content: prompt.system },
      { role: 'user' as const, content: prompt.user },
    ],
    response_format: { type: 'json_schema' as const, json_schema: { ...prompt.schema, strict: true } },
    max_completion_tokens: maxOutputTokens,
  }
  return { body, read: (answer: unknown, requestId: string | null) => attemptOf(answer, requestId, prompt) }
}

function attemptOf(answer: unknown, requestId: string | null, prompt: Prompt): Attempt {
  const parsed = Completion.safeParse(answer)
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
