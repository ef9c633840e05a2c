/** Right answers in the shapes of OpenAI's public API, made from what was asked. */
type Body = Record<string, unknown>
type Message = { role: string; content: string }

export const CHAT_VERSION = 'gpt-4o-mini-2024-07-18'
export const CHAT_USAGE = { prompt_tokens: 1000, completion_tokens: 200, total_tokens: 1200 }
export const EMBEDDING_TOKENS = 500
export const AUDIO_SECONDS = 3.4

const DIMENSIONS = 1536

const answers: Record<string, (body: Body) => unknown> = {
  '/v1/chat/completions': chat,
  '/v1/embeddings': embeddings,
  '/v1/audio/transcriptions': transcription,
}

export const answerTo = (path: string, body: Body): unknown => answers[path]?.(body) ?? { error: null }

function chat(body: Body) {
  const format = body.response_format as { json_schema: { name: string } }
  const user = (body.messages as Message[]).find(({ role }) => role === 'user')?.content ?? ''
  const content = JSON.stringify(contentFor(format.json_schema.name, user))
  return {
    id: 'chatcmpl-1',
    object: 'chat.completion',
    created: 1_796_000_000,
    model: CHAT_VERSION,
    choices: [{ index: 0, finish_reason: 'stop', message: { role: 'assistant', content, refusal: null } }],
    usage: CHAT_USAGE,
  }
}

/** What a model would say to one of our prompts, by the name of the schema that it has to answer in. */
export function contentFor(name: string, user: string): unknown {
  if (name === 'classification') return { scores: numbered(user, /^(\d+)\. /gm).map(scored) }
  if (name === 'report')
    return {
      markdown: numbered(user, /^\[(\d+)\]$/gm)
        .map((n) => `A claim [${n}].`)
        .join('\n\n'),
    }
  return { summary: 'Everybody has rights.' }
}

const numbered = (text: string, pattern: RegExp) => [...text.matchAll(pattern)].map(([, n]) => Number(n))
const scored = (label: number) => ({ label, score: label })

function embeddings(body: Body) {
  const texts = body.input as string[]
  const length = (body.dimensions as number | undefined) ?? DIMENSIONS
  const data = texts.map((text, index) => ({
    object: 'embedding',
    index,
    embedding: Array.from({ length }, (_, at) => (at === 0 ? text.length : 0.5)),
  }))
  const usage = { prompt_tokens: EMBEDDING_TOKENS, total_tokens: EMBEDDING_TOKENS }
  // Not in the order of the texts, which nobody promises.
  return { object: 'list', model: body.model, data: data.toReversed(), usage }
}

function transcription() {
  return {
    task: 'transcribe',
    language: 'english',
    duration: AUDIO_SECONDS,
    text: ' Hello there.',
    segments: [
      { id: 0, start: 0, end: 1.5, text: ' Hello' },
      { id: 1, start: 1.5, end: 3.4, text: ' there.' },
    ],
    usage: { type: 'duration', seconds: 4 },
  }
}
