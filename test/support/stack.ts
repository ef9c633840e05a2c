/**
 * The three real Workers in workerd, started once for the whole run, and a small control server beside them: what a spec needs
 * that no customer can do (evict a ledger, put a raw message on a queue, look into a ledger's tables).
 */
import type { Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { createTestHarness } from 'wrangler'
import { freePort } from '../../scripts/support/claims.ts'
import { mintOperator } from '../../scripts/support/operator.ts'
import { type LocalSecrets, localSecrets } from '../../scripts/support/secrets.ts'
import { BASE_URL } from './base-url.ts'
import { AI_STAND_IN, type GatewayBindings, type Harness, startControl } from './control-server.ts'
import { type DnsServer, startDns } from './dns-server.ts'
import { withFormerKey } from './key-encryption-keys.ts'
import { OPENAI_KEY, type OpenAiServer, startOpenAi } from './openai-server.ts'
import { doors } from './own-network.ts'
import { RUN_TIMEOUT_SECONDS } from './run-timeout.ts'
import { amidRotations, type OtherKeys } from './signing-keys.ts'
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
  readonly otherKeys: OtherKeys
}

const vars = {
  PUBLIC_BASE_URL: BASE_URL,
  ALLOW_LOOPBACK_WEBHOOKS: '1',
  LEASE_SECONDS: '4',
  RETRY_BASE_MS: '100',
  RETRY_CAP_MS: '1000',
  SWEEP_SECONDS: '2',
  ROLL_UP_SECONDS: '2',
  ORDERS_SECONDS: '3',
  BATCH_POLL_MS: '100',
  BATCH_POLL_CAP_MS: '2000',
  BATCH_STALLED_SECONDS: '2',
  BATCH_GRACE_SECONDS: '10',
  RUN_TIMEOUT_SECONDS: String(RUN_TIMEOUT_SECONDS),
  DELETION_GRACE_SECONDS: '1',
  DELETION_QUIET_SECONDS: '3',
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
  'evaluations',
  'jobs-dlq',
  'batches-dlq',
  'callbacks-dlq',
  'evaluations-dlq',
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
  name: AI_STAND_IN,
  main: './test/support/workers-ai-worker.ts',
  compatibility_date: '2026-11-01',
  compatibility_flags: ['enable_abortsignal_rpc'],
}

export async function startStack(): Promise<{
  info: StackInfo
  close: () => Promise<void>
  debug: () => void
}> {
  const local = await localSecrets()
  const { SIGNING_KEYS, otherKeys } = await amidRotations(local.signingKey, Date.now())
  const KEY_ENCRYPTION_KEYS = withFormerKey(local.KEY_ENCRYPTION_KEYS)
  const secrets = { ...local, SIGNING_KEYS, KEY_ENCRYPTION_KEYS }
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
    otherKeys,
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
