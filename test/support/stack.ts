/**
 * The three real Workers in workerd, started once for the whole run, and a small control server beside them: what a spec needs
 * that no customer can do (evict a ledger, put a raw message on a queue, look into a ledger's tables).
 */
import { createServer, type IncomingMessage, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { createTestHarness } from 'wrangler'
import { freePort } from '../../scripts/support/claims.ts'
import { mintOperator } from '../../scripts/support/operator.ts'
import { type LocalSecrets, localSecrets } from '../../scripts/support/secrets.ts'
import { BASE_URL } from './base-url.ts'
import { type DnsServer, startDns } from './dns-server.ts'
import { OPENAI_KEY, type OpenAiServer, startOpenAi } from './openai-server.ts'
import { doors } from './own-network.ts'
import { STRICT_GATEWAY, strictGateway } from './strict-gateway.ts'

export interface StackInfo {
  /** Where the gateway listens; links in its answers start with `BASE_URL`. */
  readonly url: string
  /** The same with what is served in front of it, as static files are. */
  readonly frontUrl: string
  readonly controlUrl: string
  /** Where a gateway with production's rule for webhooks' URLs listens. */
  readonly strictUrl: string
  /** The stand-in for OpenAI. */
  readonly openaiUrl: string
  /** The stand-in for the resolver. */
  readonly dnsUrl: string
  readonly operator: { clientId: string; clientSecret: string }
  readonly signingKey: Record<string, string>
}

/** How long a call of a provider may take in these Workers. */
export const RUN_TIMEOUT_SECONDS = 7

const vars = {
  PUBLIC_BASE_URL: BASE_URL,
  ALLOW_LOOPBACK_WEBHOOKS: '1',
  LEASE_SECONDS: '4',
  RETRY_BASE_MS: '100',
  RETRY_CAP_MS: '1000',
  SWEEP_SECONDS: '2',
  BATCH_POLL_MS: '100',
  BATCH_POLL_CAP_MS: '2000',
  BATCH_STALLED_SECONDS: '2',
  BATCH_GRACE_SECONDS: '10',
  RUN_TIMEOUT_SECONDS: String(RUN_TIMEOUT_SECONDS),
  GATE_PAUSE_MS: '50',
  EMBEDDED_BATCH_MS: '100',
  PROVIDERS: 'embedded,test,openai,workers-ai',
}

export const rawQueues = [
  'jobs',
  'jobs-slow',
  'jobs-solo',
  'batches',
  'callbacks',
  'jobs-dlq',
  'batches-dlq',
  'callbacks-dlq',
] as const

const probe = {
  name: 'probe',
  main: './test/support/probe-worker.ts',
  compatibility_date: '2026-11-01',
  queues: { producers: rawQueues.map((queue) => ({ binding: queue, queue })) },
  durable_objects: {
    bindings: [{ name: 'LEDGERS', class_name: 'TenantLedger', script_name: 'gateway' }],
  },
  workflows: [
    { name: 'batches', binding: 'BATCH_WORKFLOW', class_name: 'BatchWorkflow', script_name: 'consumers' },
  ],
}

/** In the place of the binding, which only production has. */
const ai = {
  name: 'ai-stand-in',
  main: './test/support/workers-ai-worker.ts',
  compatibility_date: '2026-11-01',
  compatibility_flags: ['enable_abortsignal_rpc'],
}

type Harness = ReturnType<typeof createTestHarness>

export async function startStack(): Promise<{
  info: StackInfo
  close: () => Promise<void>
  debug: () => void
}> {
  const secrets = await localSecrets()
  const [openai, dns] = await Promise.all([startOpenAi(), startDns()])
  const harness = createTestHarness({ workers: workersWith(secrets, openai, dns) })
  const [url, strictUrl] = [await doorTo('gateway'), await doorTo(STRICT_GATEWAY)]
  const { url: front } = await harness.listen()
  const operator = await prepareDirectory(harness)
  const control = await startControl(harness)
  const info = {
    url,
    frontUrl: front.origin,
    controlUrl: urlOf(control),
    strictUrl,
    openaiUrl: openai.url,
    dnsUrl: dns.url,
    operator,
    signingKey: secrets.signingKey,
  }
  const close = async () => {
    control.closeAllConnections()
    control.close()
    await harness.close()
    openai.close()
    dns.close()
  }
  return { info, close, debug: () => harness.debug() }
}

/** Opens a port that leads straight to a Worker; to be called before the harness listens. */
async function doorTo(worker: string): Promise<string> {
  const port = await freePort()
  doors.set(worker, port)
  return `http://127.0.0.1:${port}`
}

const urlOf = (server: Server) => `http://127.0.0.1:${(server.address() as AddressInfo).port}`

function workersWith(
  { SIGNING_KEYS, KEY_ENCRYPTION_KEYS }: LocalSecrets,
  openai: OpenAiServer,
  dns: DnsServer,
) {
  const secrets = { SIGNING_KEYS, KEY_ENCRYPTION_KEYS, OPENAI_API_KEY: OPENAI_KEY }
  const all = { ...vars, OPENAI_BASE_URL: openai.url, DNS_RESOLVER_URL: dns.url }
  const common = { vars: all, secrets }
  return [
    { ...common, configPath: './wrangler.toml' },
    { ...common, configPath: './consumers/wrangler.toml', bindingOverrides: { AI: ai.name } },
    { ...common, configPath: './callbacks/wrangler.toml' },
    { config: strictGateway({ ...all, SIGNING_KEYS, KEY_ENCRYPTION_KEYS }) },
    { config: probe },
    { config: ai },
  ]
}

async function prepareDirectory(harness: Harness) {
  const gateway = harness.getWorker<GatewayBindings>('gateway')
  await gateway.applyD1Migrations('DIRECTORY')
  const operator = await mintOperator(Date.now())
  const { DIRECTORY } = await gateway.getEnv()
  await DIRECTORY.prepare(operator.sql).run()
  return { clientId: operator.clientId, clientSecret: operator.clientSecret }
}

interface Statement {
  bind(...values: unknown[]): Statement
  run(): Promise<unknown>
  all(): Promise<{ results: unknown[] }>
}
interface GatewayBindings extends Record<string, unknown> {
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
    return (await harness.getWorker(ai.name).fetch('/')).json()
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
  const parts: Buffer[] = []
  for await (const part of request) parts.push(part as Buffer)
  return JSON.parse(Buffer.concat(parts).toString() || '{}') as Record<string, unknown>
}

/** A connection that is closed while the next request is on its way would fail that. */
const KEEP_ALIVE_MS = 600_000

function startControl(harness: Harness): Promise<Server> {
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
