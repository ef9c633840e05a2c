/**
 * A Worker of the specs alone: it may put raw messages on every queue, and call a ledger as the consumers do. The product's own
 * Workers have no such way in.
 */
interface RawQueue {
  send(body: unknown, options: { contentType: 'json' | 'text' }): Promise<unknown>
}

interface Letter {
  readonly queue: string
  readonly body: unknown
  readonly contentType: 'json' | 'text'
}

interface Call {
  readonly ledger: string
  readonly method: string
  readonly args: unknown[]
}

interface Ledgers {
  getByName(name: string): Record<string, (...args: unknown[]) => Promise<unknown>>
}

type Env = { readonly LEDGERS: Ledgers } & Record<string, RawQueue>

async function send({ queue, body, contentType }: Letter, env: Env): Promise<Response> {
  await env[queue]?.send(body, { contentType })
  return new Response(null, { status: env[queue] ? 204 : 404 })
}

/** The stub ends with the request: an object that something still refers to cannot be evicted. */
async function call({ ledger, method, args }: Call, env: Env): Promise<Response> {
  return Response.json((await env.LEDGERS.getByName(ledger)[method]?.(...args)) ?? null)
}

export default {
  async fetch(request: Request, env: Env): Promise<Response> {
    const body: unknown = await request.json()
    return new URL(request.url).pathname === '/call' ? call(body as Call, env) : send(body as Letter, env)
  },
}
