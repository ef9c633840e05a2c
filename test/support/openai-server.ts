/**
 * A stand-in for OpenAI: a real HTTP server with the public API of chat completions, embeddings and audio transcriptions. It
 * misbehaves when the content of a request says so (`fault:NAME` in a text, the name of a file's first bytes for audio), every time
 * or the first time for a key (`fault:NAME:once`).
 *
 * One key, one effect: the same `Idempotency-Key` gets the same answer, and is counted once. What it was asked is kept by key.
 */
import { createServer, type IncomingHttpHeaders, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { answerTo } from './openai-answers.ts'
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
  close(): void
}

interface State {
  readonly asked: Asked[]
  readonly effects: Map<string, number>
  readonly answers: Map<string, string>
  readonly faulted: Set<string>
}

/** Starts it on a free port of this machine. `GET /asked` and `GET /effects` tell other processes what came. */
export async function startOpenAi(): Promise<OpenAiServer> {
  const state: State = { asked: [], effects: new Map(), answers: new Map(), faulted: new Set() }
  const server = createServer((request, response) => {
    serve(request, response, state).catch(() => response.destroy())
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  const close = () => {
    server.closeAllConnections()
    server.close()
  }
  return { url: `http://127.0.0.1:${port}/v1`, asked: state.asked, effects: state.effects, close }
}

async function serve(request: IncomingMessage, response: ServerResponse, state: State): Promise<void> {
  const path = request.url ?? ''
  if (request.method === 'GET') return sendJson(response, 200, told(path, state))
  const body = await readBody(request)
  const key = String(request.headers['idempotency-key'] ?? '')
  const fault = faultFor(JSON.stringify(body), key, state)
  state.asked.push({ path, key, headers: request.headers, body, fault: fault?.name ?? null })
  response.setHeader('x-request-id', `req_${state.asked.length}`)
  if (request.headers.authorization !== `Bearer ${OPENAI_KEY}`)
    return sendJson(response, 401, {
      error: { code: 'invalid_api_key', message: 'x', type: 'x', param: null },
    })
  // These do the work first; what goes wrong is the answer.
  const early = fault && !fault.worksFirst
  const answer = early ? '' : answerOnce(path, key, body, state)
  if (fault) return fault.send(response, answer, path)
  response.writeHead(200, { 'Content-Type': 'application/json' }).end(answer)
}

const told = (path: string, { asked, effects }: State) =>
  path === '/asked' ? asked : path === '/effects' ? Object.fromEntries(effects) : null

function answerOnce(path: string, key: string, body: Record<string, unknown>, state: State): string {
  const known = key && state.answers.get(key)
  if (known) return known
  const answer = JSON.stringify(answerTo(path, body))
  state.answers.set(key, answer)
  state.effects.set(key, (state.effects.get(key) ?? 0) + 1)
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
    ? { name: value.name, type: value.type, bytes: value.size, head: (await value.text()).slice(0, 64) }
    : value
