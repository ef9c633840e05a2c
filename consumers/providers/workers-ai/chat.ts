/** Text generation with structured output, for the kinds that a prompt can do. */
import { z } from '@hono/zod-openapi'
import type { TokenUsage } from '../../../ledger/usage.ts'
import { type Attempt, failed, type ProviderRequest } from '../../provider.ts'
import { Count, estimatedTokens, parseJson, unusable } from '../answer.ts'
import { type ChatKind, type Prompt, promptFor } from '../prompts.ts'
import type { Ask } from './binding.ts'

const Usage = z.object({ prompt_tokens: Count, completion_tokens: Count })

/** With structured output the answer may come as text or parsed already. */
const Generated = z.object({
  response: z.union([z.string(), z.record(z.string(), z.unknown())]),
  usage: Usage.nullish(),
})

export async function chat(
  ask: Ask,
  maxOutputTokens: number,
  request: ProviderRequest & { kind: ChatKind },
): Promise<Attempt> {
  const prompt = promptFor(request.kind, request.input, request.params)
  if (!prompt) return failed('internal')
  const messages = [
    { role: 'system', content: prompt.system },
    { role: 'user', content: prompt.user },
  ]
  return attemptOf(await ask({ messages, ...answering(prompt, maxOutputTokens) }), prompt)
}

/** The same as a text alone: in batches not every model is documented to take messages. */
export const promptBody = (prompt: Prompt, maxOutputTokens: number) => ({
  prompt: `${prompt.system}\n\n${prompt.user}`,
  ...answering(prompt, maxOutputTokens),
})

const answering = ({ schema }: Prompt, maxOutputTokens: number) => ({
  response_format: { type: 'json_schema', json_schema: schema.schema },
  max_tokens: maxOutputTokens,
})

export function attemptOf(answer: unknown, prompt: Prompt): Attempt {
  const parsed = Generated.safeParse(answer)
  if (!parsed.success) return unusable('unknown')
  const { response, usage: counted } = parsed.data
  const content = typeof response === 'string' ? response : JSON.stringify(response)
  const usage = counted
    ? { inputTokens: counted.prompt_tokens, outputTokens: counted.completion_tokens }
    : estimated(prompt, content)
  const output = prompt.read(typeof response === 'string' ? parseJson(response) : response)
  return output === null ? unusable(usage) : { kind: 'completed', output, usage, providerRequestId: null }
}

const estimated = ({ system, user }: Prompt, content: string): TokenUsage => ({
  inputTokens: estimatedTokens(system + user),
  outputTokens: estimatedTokens(content),
})
