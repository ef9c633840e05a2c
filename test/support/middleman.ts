/** Stands between a customer and the gateway over real HTTP, and does what networks and busy servers do. */
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import { inject, onTestFinished } from 'vitest'
import { onLoopback } from './loopback.ts'

/** Lets an exchange pass, loses its answer, cuts that after some bytes, or answers in the gateway's place. */
type Fate = 'pass' | 'lose' | { readonly cutAfter: number } | { readonly answer: Response }

export interface Exchange {
  /** `POST /v1/jobs`, without the query. */
  readonly what: string
  readonly key: string | undefined
  readonly replayed: boolean
}

export interface Middleman {
  readonly url: string
  /** What the gateway was asked, in the order of its answers. */
  readonly exchanges: readonly Exchange[]
}

/** `fateOf` the nth exchange (from 0) of this method and path. */
export async function newMiddleman(fateOf: (what: string, nth: number) => Fate): Promise<Middleman> {
  const exchanges: Exchange[] = []
  const seen = new Map<string, number>()
  const server = createServer(async (request, response) => {
    const what = `${request.method} ${request.url?.split('?')[0]}`
    const nth = seen.get(what) ?? 0
    seen.set(what, nth + 1)
    const fate = fateOf(what, nth)
    const answer = typeof fate === 'object' && 'answer' in fate ? fate.answer : await forward(request)
    exchanges.push({
      what,
      key: request.headers['idempotency-key']?.toString(),
      replayed: answer.headers.has('Idempotency-Replayed'),
    })
    await pass(answer, response, fate)
  })
  const { origin, close } = await onLoopback(server)
  onTestFinished(close)
  return { url: origin, exchanges }
}

/** Those that belong to the one connection, not to the message. */
const ofConnection = new Set([
  'host',
  'connection',
  'transfer-encoding',
  'content-length',
  'content-encoding',
])

async function forward(request: IncomingMessage): Promise<Response> {
  const parts: Buffer[] = []
  for await (const part of request) parts.push(part as Buffer)
  const headers = Object.entries(request.headers).flatMap(([name, value]) =>
    ofConnection.has(name) ? [] : [[name, String(value)] as [string, string]],
  )
  return fetch(new URL(request.url ?? '/', inject('stack').url), {
    method: request.method ?? 'GET',
    headers,
    ...(parts.length > 0 && { body: Buffer.concat(parts) }),
  })
}

async function pass(answer: Response, response: ServerResponse, fate: Fate): Promise<void> {
  const bytes = Buffer.from(await answer.arrayBuffer())
  if (fate === 'lose') return void response.destroy()
  const headers = [...answer.headers].filter(([name]) => !ofConnection.has(name))
  response.writeHead(answer.status, Object.fromEntries(headers))
  if (typeof fate !== 'object' || !('cutAfter' in fate)) return void response.end(bytes)
  response.write(bytes.subarray(0, fate.cutAfter), () => response.destroy())
}
