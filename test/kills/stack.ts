/** A runtime of its own to be killed, with what outlives it: its state on disk, the stand-ins of providers, who is told of each call. */
import { randomUUID } from 'node:crypto'
import { join } from 'node:path'
import { gatewaySpecs, prepareDirectory } from '../../bench/support/gateway.ts'
import { startWorkerd, type Workerd, type WorkerSpec } from '../../bench/support/workerd.ts'
import { tenantScopes } from '../../openapi/tenant-words.ts'
import { localSecrets } from '../../scripts/support/secrets.ts'
import { Client, request } from '../support/client.ts'
import { OPENAI_KEY, type OpenAiServer, startOpenAi } from '../support/openai-server.ts'
import { expectStatus, Tenant } from '../support/tenant.ts'
import { signToken } from '../support/tokens.ts'
import { Listener } from './listener.ts'

/** A silent Workflow is missed soon; a chunk at a provider is looked at often. */
const settings = {
  ALLOW_LOOPBACK_WEBHOOKS: '1',
  LEASE_SECONDS: '3',
  RETRY_BASE_MS: '100',
  RETRY_CAP_MS: '500',
  SWEEP_SECONDS: '2',
  BATCH_POLL_MS: '100',
  BATCH_POLL_CAP_MS: '1000',
  BATCH_STALLED_SECONDS: '60',
  BATCH_GRACE_SECONDS: '5',
  RUN_TIMEOUT_SECONDS: '3',
  GATE_PAUSE_MS: '50',
  EMBEDDED_BATCH_MS: '100',
  WORKFLOW_STEPS: '6',
  PROVIDERS: 'embedded,test,openai,workers-ai',
  OPENAI_API_KEY: OPENAI_KEY,
}

/** For the Workers that call providers: nothing that is held, or never answered, is given up before the kill. */
const PATIENCE_SECONDS = '60'

export interface MortalStack {
  readonly workerd: Workerd
  readonly listener: Listener
  readonly openAi: OpenAiServer
  readonly operator: Client
  newTenant(): Promise<Tenant>
  stop(): Promise<void>
}

const listenedTo = (spec: WorkerSpec): WorkerSpec => ({
  ...spec,
  entry: join(import.meta.dirname, 'consumers.ts'),
  bindings: { ...spec.bindings, RUN_TIMEOUT_SECONDS: PATIENCE_SECONDS },
})

export async function startMortalStack(): Promise<MortalStack> {
  // It would miss the secrets that only the bindings have.
  process.env.WRANGLER_LOG = 'error'
  const { signingKey, ...secrets } = await localSecrets()
  const [openAi, listener] = [await startOpenAi(), new Listener()]
  const bindings = { ...settings, ...secrets, OPENAI_BASE_URL: openAi.url, TOLD_URL: await listener.listen() }
  const specs = (await gatewaySpecs(bindings)).map((spec) =>
    spec.name === 'consumers' ? listenedTo(spec) : spec,
  )
  const workerd = await startWorkerd(specs, { inspect: true })
  const url = (await workerd.urlOf('gateway')).href
  const operator = await operatorOf(workerd, url)
  return {
    workerd,
    listener,
    openAi,
    operator,
    async newTenant() {
      const id = `k-${randomUUID()}`
      const limits = { test_models: true }
      await expectStatus(201, operator.post('/ops/v1/tenants', { id, limits, reason: 'a spec' }))
      return new Tenant(
        id,
        new Client(await signToken(signingKey, id, 'client_spec', tenantScopes.join(' ')), url),
      )
    },
    async stop() {
      listener.close()
      openAi.close()
      await workerd.stop()
    },
  }
}

/** The operator of a runtime that has just been started. */
export async function operatorOf(workerd: Workerd, at: string): Promise<Client> {
  const { clientId, clientSecret } = await prepareDirectory(workerd)
  const form = { grant_type: 'client_credentials', client_id: clientId, client_secret: clientSecret }
  const headers = { 'Content-Type': 'application/x-www-form-urlencoded' }
  const raw = new URLSearchParams(form).toString()
  const { body } = await expectStatus(200, request('POST', '/oauth/token', { headers, raw, at }))
  return new Client((body as unknown as { access_token: string }).access_token, at)
}
