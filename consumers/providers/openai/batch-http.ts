/** The calls that a batch takes: its files, and the batch itself. Each throws what the client throws. */
import { z } from '@hono/zod-openapi'
import type OpenAI from 'openai'
import type { ChunkRequest } from '../../batch-provider.ts'
import { Count, nameOf, parseJson } from '../answer.ts'
import type { Endpoint } from './batch-lines.ts'
import { LostConnection } from './failure.ts'
import { optionsFor, readAnswer } from './http.ts'

/** Files go by themselves should we never come to delete them: as early as all servers of this kind allow. */
const EXPIRES = { anchor: 'created_at', seconds: 14 * 86_400 } as const

const Name = z.string().refine((name) => nameOf(name) !== null)

/** With as little as possible made a condition: a batch that cannot be read cannot be collected. */
const Batch = z.object({
  id: Name,
  status: z.string(),
  created_at: z.number(),
  metadata: z.record(z.string(), z.string()).nullish().catch(null),
  input_file_id: Name.nullish().catch(null),
  output_file_id: Name.nullish().catch(null),
  error_file_id: Name.nullish().catch(null),
  errors: z
    .object({ data: z.array(z.object({ code: z.string().nullish().catch(null) })) })
    .nullish()
    .catch(null),
  usage: z.object({ input_tokens: Count, output_tokens: Count }).nullish().catch(null),
})
export type Batch = z.infer<typeof Batch>

type Call = Pick<ChunkRequest, 'key' | 'traceparent' | 'signal'>

/** The key says which submission it was, to a server that knows keys and to us when we look for it. */
const writing = ({ key, traceparent, signal }: Call) =>
  optionsFor({ idempotencyKey: key, traceparent, signal })
const reading = ({ traceparent, signal }: Call) => ({ signal, headers: traceparent ? { traceparent } : {} })

/** The file's ID; null where the answer is none. */
export async function upload(client: OpenAI, lines: readonly string[], call: Call): Promise<string | null> {
  const file = new File([`${lines.join('\n')}\n`], 'batch.jsonl', { type: 'application/jsonl' })
  const body = { file, purpose: 'batch' as const, expires_after: EXPIRES }
  const options = writing({ ...call, key: `${call.key}-file` })
  const answer = await json(await client.files.create(body, options).asResponse(), call.signal)
  return z.object({ id: Name }).safeParse(answer).data?.id ?? null
}

/** Null where the answer is no batch, though there may be one now. */
export async function create(client: OpenAI, fileId: string, endpoint: Endpoint, call: Call) {
  const body = {
    input_file_id: fileId,
    endpoint,
    completion_window: '24h' as const,
    metadata: { submission: call.key },
    output_expires_after: EXPIRES,
  }
  const response = await client.batches.create(body, writing(call)).asResponse()
  return Batch.safeParse(await json(response, call.signal)).data ?? null
}

/** Null where the answer is no batch. */
export async function retrieve(client: OpenAI, id: string, call: Call): Promise<Batch | null> {
  const response = await client.batches.retrieve(id, reading(call)).asResponse()
  return Batch.safeParse(await json(response, call.signal)).data ?? null
}

export const cancel = (client: OpenAI, id: string, call: Call) => client.batches.cancel(id, reading(call))

const Page = z.object({ data: z.array(Batch), has_more: z.boolean().nullish() })

/** The pages of all batches, the newest first. What is no page is no end of the list either. */
export async function* pages(client: OpenAI, call: Call): AsyncGenerator<Batch[]> {
  let after: string | undefined
  for (;;) {
    const query = { limit: 100, ...(after !== undefined && { after }) }
    const response = await client.batches.list(query, reading(call)).asResponse()
    const page = Page.safeParse(await json(response, call.signal)).data
    if (!page) throw new LostConnection()
    yield page.data
    after = page.data.at(-1)?.id
    if (after === undefined || page.has_more === false) return
  }
}

/** Best effort: a file that is not deleted expires. */
export async function deleteFiles(client: OpenAI, ids: readonly (string | null | undefined)[], call: Call) {
  const all = ids.flatMap((id) => (id ? [client.files.delete(id, reading(call))] : []))
  await Promise.allSettled(all)
}

async function json(response: Response, signal: AbortSignal): Promise<unknown> {
  const { text } = await readAnswer(response, signal)
  return text === null ? undefined : parseJson(text)
}

/** More than a chunk's results may be. */
export class TooLong extends Error {}

/** The lines of a file, of which all together are no more than so many bytes. */
export async function* linesOf(
  client: OpenAI,
  fileId: string,
  bytes: number,
  call: Call,
): AsyncGenerator<string> {
  const { body } = await client.files.content(fileId, reading(call))
  const decoder = new TextDecoder()
  let [rest, left] = ['', bytes]
  for await (const chunk of chunksOf(body, call.signal)) {
    left -= chunk.byteLength
    if (left < 0) throw new TooLong()
    const lines = (rest + decoder.decode(chunk, { stream: true })).split('\n')
    rest = lines.pop() ?? ''
    yield* lines.filter(isNotBlank)
  }
  yield* [rest + decoder.decode()].filter(isNotBlank)
}

const isNotBlank = (line: string) => line.trim() !== ''

async function* chunksOf(body: ReadableStream<Uint8Array> | null, signal: AbortSignal) {
  try {
    for await (const chunk of body ?? []) yield chunk
  } catch (error) {
    signal.throwIfAborted()
    throw new LostConnection(undefined, { cause: error })
  }
}
