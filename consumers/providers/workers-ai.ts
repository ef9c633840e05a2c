/** Workers AI, by its binding. It knows no idempotency key and carries no trace. */
import type { KindName } from '../../catalog/kind.ts'
import { findModel, type Model } from '../../catalog/models.ts'
import { type Attempt, failed, type Provider, type ProviderRequest } from '../provider.ts'
import type { ChatKind } from './prompts.ts'
import { chat } from './workers-ai/chat.ts'
import { embeddings } from './workers-ai/embeddings.ts'
import { failureOf } from './workers-ai/failure.ts'
import { transcription } from './workers-ai/transcription.ts'

/** What is used of the binding; its own types know no model by a variable name. */
export interface Ai {
  run(model: string, input: Record<string, unknown>, options: { signal: AbortSignal }): Promise<unknown>
}

/** One call of the model; throws what the binding throws. */
export type Ask = (input: Record<string, unknown>) => Promise<unknown>

type Task = (ask: Ask, model: Model, request: ProviderRequest) => Promise<Attempt>

const platformNames: Record<string, string> = {
  'workers-ai/llama-3.3-70b-instruct-fp8-fast': '@cf/meta/llama-3.3-70b-instruct-fp8-fast',
  'workers-ai/bge-m3': '@cf/baai/bge-m3',
  'workers-ai/whisper-large-v3-turbo': '@cf/openai/whisper-large-v3-turbo',
}

const chats =
  (kind: ChatKind): Task =>
  (ask, { maxOutputTokens }, request) =>
    chat(ask, maxOutputTokens, { ...request, kind })

const tasks: Record<KindName, Task> = {
  summarize: chats('summarize'),
  classify: chats('classify'),
  report: chats('report'),
  embed: embeddings,
  transcribe: transcription,
}

export const workersAi = (ai: Ai): Provider => ({
  async run(request) {
    const model = findModel(request.model)
    const name = platformNames[request.model]
    if (!model || name === undefined) return failed('model_not_found')
    const ask: Ask = (input) => asking(() => ai.run(name, input, { signal: request.signal }))
    try {
      return await tasks[request.kind](ask, model, request)
    } catch (error) {
      if (!(error instanceof Refused) || request.signal.aborted) throw error
      return failureOf(error.cause)
    }
  },
})

/** Tells what the binding threw from a fault of ours. */
class Refused extends Error {}

async function asking(call: () => Promise<unknown>): Promise<unknown> {
  try {
    return await call()
  } catch (error) {
    throw new Refused(undefined, { cause: error })
  }
}
