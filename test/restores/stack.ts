/** A runtime of its own whose ledgers can be put back to a point in time. */
import { randomUUID } from 'node:crypto'
import { join } from 'node:path'
import { gatewaySpecs } from '../../bench/support/gateway.ts'
import { startWorkerd, type Workerd } from '../../bench/support/workerd.ts'
import { ledgerName } from '../../ledger/directory/tenants.ts'
import { tenantScopes } from '../../openapi/tenant-words.ts'
import { localSecrets } from '../../scripts/support/secrets.ts'
import { operatorOf } from '../kills/stack.ts'
import { Client } from '../support/client.ts'
import { expectStatus, Tenant } from '../support/tenant.ts'
import { signToken } from '../support/tokens.ts'

/** What is lost is missed soon. */
const settings = {
  ALLOW_LOOPBACK_WEBHOOKS: '1',
  LEASE_SECONDS: '20',
  RETRY_BASE_MS: '100',
  RETRY_CAP_MS: '500',
  SWEEP_SECONDS: '2',
  BATCH_POLL_MS: '100',
  BATCH_POLL_CAP_MS: '1000',
  BATCH_GRACE_SECONDS: '9',
  RUN_TIMEOUT_SECONDS: '6',
}

export interface RestorableStack {
  readonly workerd: Workerd
  readonly operator: Client
  newTenant(limits: object): Promise<Tenant>
  /** A point that the tenant's ledger can be put back to: its time. */
  keepPoint(tenant: Tenant): Promise<string>
  stop(): Promise<void>
}

export async function startRestorableStack(): Promise<RestorableStack> {
  process.env.WRANGLER_LOG = 'error'
  const { signingKey, ...secrets } = await localSecrets()
  const specs = (await gatewaySpecs({ ...settings, ...secrets })).map((spec) =>
    spec.name === 'gateway' ? { ...spec, entry: join(import.meta.dirname, 'gateway.ts') } : spec,
  )
  const workerd = await startWorkerd(specs, { inspect: true })
  const { href: url } = await workerd.urlOf('gateway')
  const operator = await operatorOf(workerd, url)
  return {
    workerd,
    operator,
    async newTenant(limits) {
      const id = `r-${randomUUID()}`
      await expectStatus(201, operator.post('/ops/v1/tenants', { id, limits, reason: 'a spec' }))
      return new Tenant(
        id,
        new Client(await signToken(signingKey, id, 'client_spec', tenantScopes.join(' ')), url),
      )
    },
    async keepPoint({ id }) {
      const ledger = encodeURIComponent(ledgerName(id, 1))
      const at = (await (await fetch(`${url}keep-point?ledger=${ledger}`)).json()) as number
      return new Date(at).toISOString()
    },
    stop: () => workerd.stop(),
  }
}
