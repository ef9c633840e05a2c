/**
 * A Worker of the specs alone: it may put raw messages on every queue, call a ledger as the consumers do, and stop Workflows. The
 * product's own Workers have no such way in.
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

interface Instance {
  status(): Promise<{ status: string }>
  pause(): Promise<void>
  terminate(): Promise<void>
}

interface Workflows {
  get(id: string): Promise<Instance>
  /** Of the local engine alone: everything that it knows of the instance is gone. */
  unsafeAbort(id: string): Promise<void>
}

interface Order {
  readonly id: string
  readonly what: 'status' | 'pause' | 'terminate' | 'lose'
}

type Env = { readonly LEDGERS: Ledgers; readonly BATCH_WORKFLOW: Workflows } & Record<string, RawQueue>

async function send({ queue, body, contentType }: Letter, env: Env): Promise<Response> {
  await env[queue]?.send(body, { contentType })
  return new Response(null, { status: env[queue] ? 204 : 404 })
}

/** The stub ends with the request: an object that something still refers to cannot be evicted. */
async function call({ ledger, method, args }: Call, env: Env): Promise<Response> {
  return Response.json((await env.LEDGERS.getByName(ledger)[method]?.(...args)) ?? null)
}

/** Null for an instance that is not there. */
async function instance({ id, what }: Order, { BATCH_WORKFLOW }: Env): Promise<Response> {
  if (what === 'lose') return Response.json(await BATCH_WORKFLOW.unsafeAbort(id))
  const found = await BATCH_WORKFLOW.get(id).catch(() => null)
  if (!found) return Response.json(null)
  return Response.json(what === 'status' ? (await found.status()).status : ((await found[what]()) ?? null))
}

export default {
  async fetch(request: Request, env: Env): Promise<Response> {
    const body: unknown = await request.json()
    const { pathname } = new URL(request.url)
    if (pathname === '/call') return call(body as Call, env)
    return pathname === '/instance' ? instance(body as Order, env) : send(body as Letter, env)
  },
}
