/** A chunk as the lines of an input file, and the lines of its output and error files as answers. Pure. */
import { z } from '@hono/zod-openapi'
import type { KindName } from '../../../catalog/kind.ts'
import type { Model } from '../../../catalog/models.ts'
import type { FailureClass } from '../../../openapi/job-words.ts'
import type { ChunkCall, ChunkInput, ChunkRequest } from '../../batch-provider.ts'
import { type Attempt, failed } from '../../provider.ts'
import { nameOf, parseJson, unusable } from '../answer.ts'
import { answerOf, type ItemAttempt } from '../batch/answers.ts'
import { chatTask } from './chat.ts'
import { embeddingsTask } from './embeddings.ts'
import { classOf, classOfCode } from './failure.ts'
import { modelName } from './http.ts'

export type Endpoint = '/v1/chat/completions' | '/v1/embeddings'

const endpoints: Record<KindName, Endpoint | null> = {
  summarize: '/v1/chat/completions',
  classify: '/v1/chat/completions',
  report: '/v1/chat/completions',
  embed: '/v1/embeddings',
  transcribe: null,
}

/** Texts that one batch may hold in all of its requests. */
const MOST_TEXTS = 50_000

interface InputFile {
  readonly endpoint: Endpoint
  readonly lines: string[]
}

/** Why not, where the chunk is none that can be sent. */
export function inputFileFor(model: Model, chunk: ChunkRequest): InputFile | FailureClass {
  const endpoint = endpoints[chunk.kind]
  if (!endpoint) return 'unsupported_kind'
  const lines: string[] = []
  let texts = 0
  for (const { reference, input } of chunk.items) {
    const task = taskFor(model, chunk, input)
    if (!task) return 'internal'
    texts += 'input' in task.body ? task.body.input.length : 0
    lines.push(JSON.stringify({ custom_id: reference, method: 'POST', url: endpoint, body: task.body }))
  }
  return texts > MOST_TEXTS ? 'internal' : { endpoint, lines }
}

/** What is asked for an item, and how its answer is read. */
function taskFor(model: Model, { kind, params }: ChunkCall, input: unknown) {
  if (kind === 'transcribe') return null
  if (kind === 'embed') return embeddingsTask(modelName(model), model.dimensions, { input, params })
  return chatTask(modelName(model), model.maxOutputTokens, { kind, input, params })
}

const Line = z.object({
  custom_id: z.string().nullish().catch(null),
  response: z
    .object({
      status_code: z.int(),
      request_id: z.string().nullish().catch(null),
      body: z.unknown().optional(),
    })
    .nullish()
    .catch(null),
  error: z
    .object({ code: z.string().nullish().catch(null) })
    .nullish()
    .catch(null),
})

const Refusal = z.object({
  error: z.object({
    code: z.string().nullish().catch(null),
    type: z.string().nullish().catch(null),
    message: z.string().optional().catch(undefined),
  }),
})

/** Reads the lines of a chunk's files; a line that is none of this chunk's, or no line at all, is told as it is. */
export function lineReader(
  model: Model,
  chunk: ChunkCall,
  items: readonly ChunkInput[],
): (line: string) => ItemAttempt & Version {
  const inputs = new Map(items.map(({ reference, input }) => [reference, input]))
  return (text) => {
    const { custom_id = null, ...came } = Line.safeParse(parseJson(text)).data ?? {}
    const known = custom_id !== null && inputs.has(custom_id)
    const attempt = attemptOf(came, (body, requestId) =>
      known ? taskFor(model, chunk, inputs.get(custom_id))?.read(body, requestId) : undefined,
    )
    return { ...answerOf(custom_id, null, attempt), modelVersion: nameOf(attempt.modelVersion) }
  }
}

interface Version {
  readonly modelVersion: string | null
}

type Read = (body: unknown, requestId: string | null) => Attempt | undefined

function attemptOf({ response, error }: Partial<z.infer<typeof Line>>, read: Read): Attempt {
  if (error?.code) return failed(classOfCode(error.code) ?? 'provider_unavailable')
  if (!response) return unusable('unknown')
  const { status_code: status, request_id, body } = response
  if (status === 200) return read(body, request_id ?? null) ?? unusable('unknown')
  return failed(classOf({ status, ...Refusal.safeParse(body).data?.error }))
}
