/** Workers AI, by its binding. It knows no idempotency key and carries no trace. */
import type { KindName } from '../../catalog/kind.ts'
import { findModel, type Model } from '../../catalog/models.ts'
import { type Attempt, failed, type Provider, type ProviderRequest } from '../provider.ts'
import type { ChatKind } from './prompts.ts'
import { type Ai, type Ask, asking, platformNames, Refused } from './workers-ai/binding.ts'
import { chat } from './workers-ai/chat.ts'
import { embeddings } from './workers-ai/embeddings.ts'
import { failureOf } from './workers-ai/failure.ts'
import { transcription } from './workers-ai/transcription.ts'

type Task = (ask: Ask, model: Model, request: ProviderRequest) => Promise<Attempt>

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
