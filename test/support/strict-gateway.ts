/**
 * A second gateway beside the first, of the same code over the same directory and the same ledgers, with the rule for webhooks' URLs
 * that production has. The harness opens a port for the first Worker only, so this one gets a front of its own.
 */
import { createServer, type IncomingMessage, type Server } from 'node:http'

export const STRICT_GATEWAY = 'strict-gateway'

const database = {
  binding: 'DIRECTORY',
  database_name: 'directory',
  database_id: '00000000-0000-0000-0000-000000000001',
}

export const strictGateway = (vars: Record<string, string>) => ({
  name: STRICT_GATEWAY,
  main: './gateway/worker.ts',
  compatibility_date: '2026-11-01',
  rules: [{ type: 'Text' as const, globs: ['**/*.sql'], fallthrough: true }],
  define: { LOCAL_RUN: 'true' },
  vars: { ...vars, ALLOW_LOOPBACK_WEBHOOKS: '0' },
  durable_objects: {
    bindings: [{ name: 'LEDGERS', class_name: 'TenantLedger', script_name: 'gateway' }],
  },
  d1_databases: [database],
})

interface Answered {
  readonly status: number
  readonly headers: Iterable<[string, string]>
  text(): Promise<string>
}
type Fetch = (
  path: string,
  init: { method: string; headers: Record<string, string>; body?: string },
) => Promise<Answered>

/** Hands on each request; `fetch` leads to the Worker. */
export function startFront(fetch: Fetch): Promise<Server> {
  const server = createServer(async (request, response) => {
    const answer = await fetch(request.url ?? '/', await initOf(request)).catch(() => null)
    response.writeHead(answer?.status ?? 502, Object.fromEntries(answer?.headers ?? []))
    response.end(await answer?.text())
  })
  return new Promise((resolve) => server.listen(0, '127.0.0.1', () => resolve(server)))
}

async function initOf(request: IncomingMessage) {
  const parts: Buffer[] = []
  for await (const part of request) parts.push(part as Buffer)
  const { authorization = '', 'content-type': type } = request.headers
  return {
    method: request.method ?? 'GET',
    headers: { Authorization: authorization, ...(type !== undefined && { 'Content-Type': type }) },
    ...(parts.length > 0 && { body: Buffer.concat(parts).toString() }),
  }
}
