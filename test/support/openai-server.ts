/**
 * A stand-in for OpenAI: a real HTTP server with the public API of chat completions, embeddings, audio transcriptions, files and
 * batches. It misbehaves when the content of a request says so (`fault:NAME` in a text, the name of a file's first bytes for audio),
 * every time or the first time for a key (`fault:NAME:once`); of batches see `openai-batches.ts`.
 *
 * One key, one effect: the same `Idempotency-Key` gets the same answer, and is counted once. What it was asked is kept by key. A
 * batch is an effect each time that it is created.
 */
import { createServer, type IncomingHttpHeaders, type IncomingMessage, type ServerResponse } from 'node:http'
import { onLoopback } from './loopback.ts'
import { answerTo } from './openai-answers.ts'
import { type BatchRequest, batchRequest } from './openai-batch-calls.ts'
import { Batches } from './openai-batches.ts'
import { type Fault, faults } from './openai-faults.ts'

export const OPENAI_KEY = 'sk-stand-in'

/** One request as it came. */
export interface Asked {
  readonly path: string
  readonly key: string
  readonly headers: IncomingHttpHeaders
  /** Parsed JSON; of multipart the fields, and of the file its name, type and size. */
  readonly body: Record<string, unknown>
  readonly fault: string | null
}

export interface OpenAiServer {
  /** Value of `OPENAI_BASE_URL`. */
  readonly url: string
  /** All requests so far, also those that were answered with a fault. */
  readonly asked: readonly Asked[]
  /** Times that work was done for each idempotency key; more than 1 is a doubled effect. */
  readonly effects: ReadonlyMap<string, number>
  /** The files that it keeps, by ID. */
  readonly files: ReadonlyMap<string, string>
  close(): void
}

/** A connection that is closed while the next request is on its way would fail that. */
const KEEP_ALIVE_MS = 600_000

interface State {
  readonly asked: Asked[]
  readonly effects: Map<string, number>
  readonly answers: Map<string, string>
  readonly faulted: Set<string>
  readonly batches: Batches
}

/** Starts it on a free port of this machine. `GET /asked`, `/effects` and `/files` tell other processes what came, and what is there. */
export async function startOpenAi(): Promise<OpenAiServer> {
  const batches = new Batches()
  const state: State = { asked: [], effects: new Map(), answers: new Map(), faulted: new Set(), batches }
  const server = createServer((request, response) => {
    serve(request, response, state).catch(() => response.destroy())
  })
  server.keepAliveTimeout = KEEP_ALIVE_MS
  const { origin, close } = await onLoopback(server)
  return { url: `${origin}/v1`, asked: state.asked, effects: state.effects, files: batches.files, close }
}

async function serve(request: IncomingMessage, response: ServerResponse, state: State): Promise<void> {
  const url = new URL(request.url ?? '', 'http://localhost')
  const path = url.pathname
  const known = request.method === 'GET' ? told(path, state) : null
  if (known) return sendJson(response, 200, known)
  const body = await readBody(request)
  const key = String(request.headers['idempotency-key'] ?? '')
  const batch = batchRequest(request.method ?? '', url, body)
  const fault = batch ? batchFaultFor(batch, state) : faultFor(JSON.stringify(body), key, state)
  state.asked.push({ path, key, headers: request.headers, body, fault: fault?.name ?? null })
  response.setHeader('x-request-id', `req_${state.asked.length}`)
  if (request.headers.authorization !== `Bearer ${OPENAI_KEY}`)
    return sendJson(response, 401, {
      error: { code: 'invalid_api_key', message: 'x', type: 'x', param: null },
    })
  // These do the work first; what goes wrong is the answer.
  const early = fault && !fault.worksFirst
  if (batch && !early) return answerBatch(batch, fault, response, state)
  const answer = early ? '' : answerOnce(path, key, body, state)
  if (fault) return fault.send(response, answer, path)
  response.writeHead(200, { 'Content-Type': 'application/json' }).end(answer)
}

function answerBatch(batch: BatchRequest, fault: Fault | null, response: ServerResponse, state: State): void {
  const { status, body } = state.batches.answer(batch)
  if (batch.call === 'create' && status === 200) countEffect(submissionOf(batch), state)
  const text = typeof body === 'string' ? body : JSON.stringify(body)
  if (fault) fault.send(response, text, batch.call)
  else response.writeHead(status, { 'Content-Type': 'application/json' }).end(text)
}

const submissionOf = ({ body }: BatchRequest) =>
  (body.metadata as { submission?: string } | undefined)?.submission ?? ''

function countEffect(key: string, { effects }: State): void {
  effects.set(key, (effects.get(key) ?? 0) + 1)
}

function told(path: string, { asked, effects, batches }: State): unknown {
  if (path === '/asked') return asked
  if (path === '/effects') return Object.fromEntries(effects)
  return path === '/files' ? Object.fromEntries(batches.files) : null
}

function answerOnce(path: string, key: string, body: Record<string, unknown>, state: State): string {
  const known = key && state.answers.get(key)
  if (known) return known
  const answer = JSON.stringify(answerTo(path, body))
  state.answers.set(key, answer)
  countEffect(key, state)
  return answer
}

function faultFor(text: string, key: string, { faulted }: State): (Fault & { name: string }) | null {
  const [, name = '', once] = /fault:([a-z0-9-]+)(:once)?/.exec(text) ?? []
  const fault = faults[name]
  const job = key.replace(/-[0-9]+$/, '')
  if (!fault || (once && faulted.has(job))) return null
  faulted.add(job)
  return { ...fault, name }
}

/** Once: the first time for the items of a batch, whatever submission they come in. */
function batchFaultFor(request: BatchRequest, { batches, faulted }: State) {
  const text = batches.textFor(request)
  const [, name = '', once] = new RegExp(`batch-${request.call}:([a-z0-9-]+)(:once)?`).exec(text) ?? []
  const fault = faults[name]
  const items = `${request.call} ${name} ${/"custom_id":"([^"]+)"/.exec(text)?.[1]}`
  if (!fault || (once && faulted.has(items))) return null
  if (once) faulted.add(items)
  return { ...fault, name }
}

export function sendJson(response: ServerResponse, status: number, body: unknown): void {
  response.writeHead(status, { 'Content-Type': 'application/json' }).end(JSON.stringify(body))
}

async function readBody(request: IncomingMessage): Promise<Record<string, unknown>> {
  const parts: Buffer[] = []
  for await (const part of request) parts.push(part as Buffer)
  const bytes = Buffer.concat(parts)
  const type = request.headers['content-type'] ?? ''
  return type.startsWith('multipart/') ? readForm(bytes, type) : JSON.parse(bytes.toString() || '{}')
}

async function readForm(bytes: Buffer<ArrayBuffer>, type: string): Promise<Record<string, unknown>> {
  const form = await new Response(bytes, { headers: { 'Content-Type': type } }).formData()
  const fields = await Promise.all(
    [...form.keys()].map(async (name) => [name, await shown(form.get(name))] as const),
  )
  return Object.fromEntries(fields)
}

const shown = async (value: File | string | null) =>
  value instanceof File
    ? { name: value.name, type: value.type, bytes: value.size, ...textOf(value, await value.text()) }
    : value

/** Whole of the input of a batch, of audio no more than what may name a fault. */
const textOf = ({ type }: File, text: string) =>
  type === 'application/jsonl' ? { text } : { head: text.slice(0, 64) }
