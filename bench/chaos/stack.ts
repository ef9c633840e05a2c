/** The three real Workers, the two with queues behind a wrapper that brings the chaos, and the tenants with their receivers. */
import { join } from 'node:path'
import { OPENAI_KEY } from '../../test/support/openai-server.ts'
import { Caller, gatewaySpecs, newTenant, prepareDirectory } from '../support/gateway.ts'
import { startWorkerd, type Workerd } from '../support/workerd.ts'
import { Customer } from './customer.ts'
import { loseFile } from './ledgers.ts'
import type { Listeners } from './listeners.ts'
import { type TenantPlan, tenantPlans } from './tenants.ts'

/** Short, so that what is waited for comes soon; a run at a provider may take longer than a lease. */
const settings = {
  ALLOW_LOOPBACK_WEBHOOKS: '1',
  LEASE_SECONDS: '3',
  RETRY_BASE_MS: '100',
  RETRY_CAP_MS: '1000',
  SWEEP_SECONDS: '2',
  ROLL_UP_SECONDS: '1',
  RUN_TIMEOUT_SECONDS: '6',
  GATE_PAUSE_MS: '50',
  BATCH_POLL_MS: '100',
  BATCH_POLL_CAP_MS: '1000',
  BATCH_STALLED_SECONDS: '5',
  // Longer than a run at a provider.
  BATCH_GRACE_SECONDS: '9',
  EMBEDDED_BATCH_MS: '200',
  WORKFLOW_STEPS: '25',
  PROVIDERS: 'embedded,test,openai',
  OPENAI_API_KEY: OPENAI_KEY,
}

/** `openAiUrl` leads to the stand-in for OpenAI. */
export async function startStack(
  seed: number,
  openAiUrl: string,
  onLog: (line: string) => void,
): Promise<Workerd> {
  const specs = await gatewaySpecs({ ...settings, OPENAI_BASE_URL: openAiUrl, CHAOS_SEED: String(seed) })
  const wrapped = specs.map((spec) =>
    spec.name === 'gateway'
      ? spec
      : { ...spec, entry: join(import.meta.dirname, 'workers', `${spec.name}.ts`) },
  )
  return startWorkerd(wrapped, { inspect: true, onLog })
}

export const newOperator = async (workerd: Workerd): Promise<Caller> =>
  Caller.signIn(await workerd.urlOf('gateway'), await prepareDirectory(workerd))

export const newCustomers = (workerd: Workerd, operator: Caller, listeners: Listeners): Promise<Customer[]> =>
  Promise.all(
    tenantPlans.map(async (plan) => {
      const caller = await newListener(operator, plan, listeners)
      const steal = (fileId: string) => loseFile(workerd, plan.id, fileId)
      return new Customer(plan.id, caller, steal, (id) => listeners.terminalEvents(plan.id, id).size > 0)
    }),
  )

async function newListener(operator: Caller, { id, limits }: TenantPlan, listeners: Listeners) {
  const caller = await newTenant(operator, id, limits)
  await caller.post('/v1/webhook_endpoints', { url: listeners.urlFor(id) })
  return caller
}
