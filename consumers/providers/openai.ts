/** OpenAI's API, or one that speaks like it, over HTTP. */
import type OpenAI from 'openai'
import type { KindName } from '../../catalog/kind.ts'
import { findModel, type Model } from '../../catalog/models.ts'
import { type Attempt, failed, type Provider, type ProviderRequest } from '../provider.ts'
import { audioTooLarge } from './answer.ts'
import { chat } from './openai/chat.ts'
import { embeddings } from './openai/embeddings.ts'
import { failureOf } from './openai/failure.ts'
import { type Access, modelName, newClient } from './openai/http.ts'
import { transcription } from './openai/transcription.ts'

type Task = (client: OpenAI, model: Model, request: ProviderRequest) => Promise<Attempt>

const chats =
  (kind: 'summarize' | 'classify' | 'report'): Task =>
  (client, model, request) =>
    chat(client, modelName(model), model.maxOutputTokens, { ...request, kind })

const tasks: Record<KindName, Task> = {
  summarize: chats('summarize'),
  classify: chats('classify'),
  report: chats('report'),
  embed: (client, model, request) => embeddings(client, modelName(model), model.dimensions, request),
  async transcribe(client, model, request) {
    const { audio } = request
    if (!audio) return failed('internal')
    if (audioTooLarge(audio, model)) return failed('input_too_large')
    return transcription(client, modelName(model), { ...request, audio })
  },
}

export function openai(access: Access): Provider {
  const client = newClient(access)
  return {
    async run(request) {
      const model = findModel(request.model)
      if (model?.provider !== 'openai') return failed('model_not_found')
      try {
        return await tasks[request.kind](client, model, request)
      } catch (error) {
        const failure = request.signal.aborted ? null : failureOf(error, access.now())
        if (!failure) throw error
        return failure
      }
    },
  }
}
