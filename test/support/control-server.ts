/** What a spec needs that no customer can do, over HTTP: evict a ledger, look into its tables, put a raw message on a queue. */
import { createServer, type IncomingMessage, type Server } from 'node:http'
import { text as textOf } from 'node:stream/consumers'
import type { createTestHarness } from 'wrangler'

export type Harness = ReturnType<typeof createTestHarness>

/** The Worker in the place of Workers AI. */
export const AI_STAND_IN = 'ai-stand-in'

interface Statement {
  bind(...values: unknown[]): Statement
  run(): Promise<unknown>
  all(): Promise<{ results: unknown[] }>
}
export interface GatewayBindings extends Record<string, unknown> {
  CONTENT: {
    list(options: { prefix: string }): Promise<{ objects: { key: string }[] }>
    put(key: string, text: string, options?: { customMetadata: object }): Promise<unknown>
    delete(key: string): Promise<void>
  }
  DIRECTORY: { prepare(sql: string): Statement }
}

type Control = (harness: Harness, body: Record<string, unknown>) => Promise<unknown>

const controls: Record<string, Control> = {
  async evict(harness, { ledger }) {
    await harness.getWorker('gateway').evictDurableObject('LEDGERS', { name: String(ledger) })
  },
  async query(harness, { ledger, sql, values }) {
    const storage = await harness
      .getWorker('gateway')
      .getDurableObjectStorage('LEDGERS', { name: String(ledger) })
    return storage.exec(String(sql), ...((values as (string | number)[]) ?? []))
  },
  async send(harness, letter) {
    const init = { method: 'POST', body: JSON.stringify(letter) }
    const { status } = await harness.getWorker('probe').fetch('/', init)
    if (status !== 204) throw new Error(`The probe answered ${status}.`)
  },
  async content(harness, { prefix }) {
    const { CONTENT } = await harness.getWorker<GatewayBindings>('gateway').getEnv()
    return (await CONTENT.list({ prefix: String(prefix) })).objects.map(({ key }) => key)
  },
  async put(harness, { key, text, customMetadata }) {
    const { CONTENT } = await harness.getWorker<GatewayBindings>('gateway').getEnv()
    await CONTENT.put(String(key), String(text), { customMetadata: customMetadata as object })
  },
  async lose(harness, { key }) {
    const { CONTENT } = await harness.getWorker<GatewayBindings>('gateway').getEnv()
    await CONTENT.delete(String(key))
  },
  async tick(harness) {
    await harness.getWorker('consumers').scheduled({ cron: '* * * * *', scheduledTime: new Date() })
  },
  async directory(harness, { sql, values }) {
    const { DIRECTORY } = await harness.getWorker<GatewayBindings>('gateway').getEnv()
    return (
      await DIRECTORY.prepare(String(sql))
        .bind(...((values as unknown[]) ?? []))
        .all()
    ).results
  },
  call: (harness, body) => asProbe(harness, '/call', body),
  instance: (harness, body) => asProbe(harness, '/instance', body),
  /** The batches that the stand-in for Workers AI took. */
  async ai(harness) {
    return (await harness.getWorker(AI_STAND_IN).fetch('/')).json()
  },
  async logs(harness) {
    return harness.getLogs().map(({ message }) => message)
  },
  async debug(harness) {
    harness.debug()
  },
}

async function asProbe(harness: Harness, path: string, body: unknown): Promise<unknown> {
  const init = { method: 'POST', body: JSON.stringify(body) }
  const response = await harness.getWorker('probe').fetch(path, init)
  if (!response.ok) throw new Error(`The call failed: ${await response.text()}`)
  return response.json()
}

async function readBody(request: IncomingMessage): Promise<Record<string, unknown>> {
  return JSON.parse((await textOf(request)) || '{}') as Record<string, unknown>
}

/** A connection that is closed while the next request is on its way would fail that. */
const KEEP_ALIVE_MS = 600_000

export function startControl(harness: Harness): Promise<Server> {
  const server = createServer(async (request, response) => {
    try {
      const control = controls[(request.url ?? '').slice(1)]
      const answer = control ? await control(harness, await readBody(request)) : null
      response
        .writeHead(control ? 200 : 404, { 'Content-Type': 'application/json' })
        .end(JSON.stringify(answer ?? null))
    } catch (error) {
      response.writeHead(500).end(JSON.stringify({ error: String(error) }))
    }
  })
  server.keepAliveTimeout = KEEP_ALIVE_MS
  return new Promise((resolve) => server.listen(0, '127.0.0.1', () => resolve(server)))
}
