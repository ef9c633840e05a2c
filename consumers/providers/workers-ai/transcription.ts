/** Transcription. The audio travels as base64 within JSON, so it is small, and held more than once. */
import { z } from '@hono/zod-openapi'
import { transcribe } from '../../../catalog/kinds/transcribe.ts'
import type { Model } from '../../../catalog/models.ts'
import { toBase64 } from '../../../ledger/base64.ts'
import { type Attempt, failed, type ProviderRequest } from '../../provider.ts'
import { audioTooLarge, unusable } from '../answer.ts'
import { languageTag, UNDETERMINED } from '../languages.ts'
import type { Ask } from './binding.ts'

const Transcription = z.object({
  text: z.string(),
  transcription_info: z
    .object({ language: z.string().nullish(), duration: z.number().min(0).nullish() })
    .nullish(),
  segments: z.array(z.object({ start: z.number(), end: z.number(), text: z.string() })).nullish(),
})

export async function transcription(ask: Ask, model: Model, request: ProviderRequest): Promise<Attempt> {
  const { audio } = request
  if (!audio) return failed('internal')
  if (audioTooLarge(audio, model)) return failed('input_too_large')
  const { language } = transcribe.params.parse(request.params)
  const answer = await ask({
    audio: toBase64(audio.bytes),
    task: 'transcribe',
    ...(language !== undefined && { language: language.split('-')[0] }),
  })
  return attemptOf(answer, language)
}

export function attemptOf(answer: unknown, asked: string | undefined): Attempt {
  const parsed = Transcription.safeParse(answer)
  if (!parsed.success) return unusable('unknown')
  const { text, transcription_info: info, segments } = parsed.data
  const seconds = info?.duration ?? segments?.at(-1)?.end
  if (!segments || seconds === undefined) return unusable('unknown')
  const usage = { inputTokens: Math.ceil(seconds), outputTokens: 0 }
  const parts = segments.map(({ start, end, text: said }) => ({ start, end, text: said.trim() }))
  const spoken = languageTag(info?.language) ?? asked ?? UNDETERMINED
  const output = { text: text.trim(), language: spoken, segments: parts }
  return { kind: 'completed', output, usage, providerRequestId: null }
}
