/** Audio transcription: multipart, with segments and the length of the audio, by which it is paid for. */
import { z } from '@hono/zod-openapi'
import type OpenAI from 'openai'
import { transcribe } from '../../../catalog/kinds/transcribe.ts'
import type { Attempt, Audio, ProviderRequest } from '../../provider.ts'
import { parseJson, unusable } from '../answer.ts'
import { languageTag, UNDETERMINED } from '../languages.ts'
import { type Answer, optionsFor, readAnswer } from './http.ts'

/** No recording that fits a call lasts longer than a day. */
const Seconds = z.number().min(0).max(86_400)

const Transcription = z.object({
  text: z.string(),
  language: z.string().nullish(),
  /** Seconds; older answers have it as text. */
  duration: z
    .union([
      Seconds,
      z
        .string()
        .regex(/^[0-9]+(\.[0-9]+)?$/)
        .transform(Number),
    ])
    .nullish(),
  segments: z.array(z.object({ start: z.number(), end: z.number(), text: z.string() })).nullish(),
  usage: z.object({ seconds: Seconds }).nullish().catch(null),
})

/** OpenAI tells the format of audio by the file's name. */
const extensions: Record<string, string> = {
  'audio/wav': 'wav',
  'audio/x-wav': 'wav',
  'audio/wave': 'wav',
  'audio/vnd.wave': 'wav',
  'audio/mpeg': 'mp3',
  'audio/mp3': 'mp3',
  'audio/mp4': 'm4a',
  'audio/m4a': 'm4a',
  'audio/x-m4a': 'm4a',
  'audio/aac': 'm4a',
  'audio/webm': 'webm',
  'audio/ogg': 'ogg',
  'audio/opus': 'ogg',
  'audio/flac': 'flac',
  'audio/x-flac': 'flac',
}

const fileOf = ({ bytes, contentType }: Audio) => {
  const type = contentType.split(';')[0]?.trim().toLowerCase() ?? ''
  return new File([bytes], `audio.${extensions[type] ?? type.replace(/^audio\/(x-)?/, '')}`, { type })
}

export async function transcription(
  client: OpenAI,
  model: string,
  request: ProviderRequest & { audio: Audio },
): Promise<Attempt> {
  const { language } = transcribe.params.parse(request.params)
  const body = {
    model,
    file: fileOf(request.audio),
    response_format: 'verbose_json' as const,
    timestamp_granularities: ['segment' as const],
    // It takes a language without region or script (ISO 639).
    ...(language !== undefined && { language: language.split('-')[0] ?? language }),
  }
  const response = await client.audio.transcriptions.create(body, optionsFor(request)).asResponse()
  return attemptOf(await readAnswer(response, request.signal), language)
}

export function attemptOf({ text, requestId }: Answer, asked: string | undefined): Attempt {
  const parsed = Transcription.safeParse(text === null ? undefined : parseJson(text))
  if (!parsed.success) return unusable('unknown', { providerRequestId: requestId })
  const { language, duration, segments, usage: counted } = parsed.data
  const seconds = counted?.seconds ?? duration ?? segments?.at(-1)?.end
  const usage = seconds === undefined ? 'unknown' : { inputTokens: Math.ceil(seconds), outputTokens: 0 }
  const facts = { providerRequestId: requestId }
  const spoken = languageTag(language) ?? asked ?? UNDETERMINED
  // Without its length nobody can say what it cost.
  if (!segments || usage === 'unknown') return unusable(usage, facts)
  const parts = segments.map(({ start, end, text: said }) => ({ start, end, text: said.trim() }))
  const output = { text: parsed.data.text.trim(), language: spoken, segments: parts }
  return { kind: 'completed', output, usage, ...facts }
}
