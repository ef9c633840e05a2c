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
  /** The local engine tells what each step came to, too. */
  status(): Promise<{ status: string; __LOCAL_DEV_STEP_OUTPUTS: unknown[] }>
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
  /** Of its steps, how many it is left to do before; one that ends sooner is left alone. */
  readonly after: number
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

const LONGEST_MS = 20_000
/** Asking is a load on the engine: more often, and what is waited for comes later. */
const ASKED_MS = 10

/** Answers how the instance stood, null for one that was not there. Asks from within, since a step takes less time than a way out. */
async function instance({ id, what, after }: Order, { BATCH_WORKFLOW }: Env): Promise<Response> {
  const until = Date.now() + LONGEST_MS
  for (;;) {
    const found = await BATCH_WORKFLOW.get(id).catch(() => null)
    const seen = await found?.status()
    if (found && (seen?.__LOCAL_DEV_STEP_OUTPUTS.length ?? 0) >= after) {
      if (what === 'lose') await BATCH_WORKFLOW.unsafeAbort(id)
      else if (what !== 'status') await found[what]().catch(() => undefined)
    } else if (after > 0 && Date.now() < until && seen?.status !== 'complete') {
      await new Promise((resolve) => setTimeout(resolve, ASKED_MS))
      continue
    }
    return Response.json(seen?.status ?? null)
  }
}

export default {
  async fetch(request: Request, env: Env): Promise<Response> {
    const body: unknown = await request.json()
    const { pathname } = new URL(request.url)
    if (pathname === '/call') return call(body as Call, env)
    return pathname === '/instance' ? instance(body as Order, env) : send(body as Letter, env)
  },
}
