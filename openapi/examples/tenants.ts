import type { z } from '@hono/zod-openapi'
import type {
  Client,
  ClientRequest,
  ReasonedAction,
  Tenant,
  TenantPage,
  TenantPatch,
  TenantRequest,
} from '../ops.ts'
import { type Examples, ids, lastPage, TENANT } from './example.ts'

const tenant: z.input<typeof Tenant> = {
  id: TENANT,
  object: 'tenant',
  status: 'active',
  limits: {
    requests_per_minute: 6000,
    jobs_per_minute: 6000,
    max_running: 50,
    max_backlog: 100_000,
    max_open_batches: 20,
    max_batch_chunks: 10,
    max_webhook_endpoints: 50,
    monthly_budget_usd: 250,
    test_models: false,
    shards: 1,
  },
  created_at: '2026-11-01T08:00:00.000Z',
}

const client: z.input<typeof Client> = {
  client_id: ids.client,
  object: 'client',
  tenant_id: TENANT,
  name: 'Order service',
  scopes: ['jobs:read', 'jobs:write'],
  created_at: '2026-11-01T08:05:00.000Z',
  client_secret: 'gws_pK3n0v7xq5cR2b8Zt1LwD9yH6sJfUaEm4GoQiXrNkVc',
}

export const tenantExamples: {
  TenantRequest: Examples<typeof TenantRequest>
  TenantPatch: Examples<typeof TenantPatch>
  Tenant: Examples<typeof Tenant>
  TenantPage: Examples<typeof TenantPage>
  ClientRequest: Examples<typeof ClientRequest>
  CreatedClient: Examples<typeof Client>
  ReasonedAction: Examples<typeof ReasonedAction>
} = {
  TenantRequest: {
    tenant: {
      summary: 'A tenant with a budget',
      value: { id: TENANT, limits: { monthly_budget_usd: 250 }, reason: 'Contract 2026-117 was signed.' },
    },
  },
  TenantPatch: {
    running: {
      summary: 'More at once',
      value: { limits: { max_running: 100 }, reason: 'They asked for it, and we have the room.' },
    },
  },
  Tenant: { tenant: { summary: 'A tenant', value: tenant } },
  TenantPage: { page: { summary: 'The only page', value: { data: [tenant], ...lastPage } } },
  ClientRequest: {
    client: {
      summary: 'A client that may submit and read jobs',
      value: {
        name: 'Order service',
        scopes: ['jobs:read', 'jobs:write'],
        reason: 'Ticket 812: their new service.',
      },
    },
  },
  CreatedClient: {
    first: { summary: 'With the secret, this once', value: client },
    replayed: { summary: 'In a replay', value: { ...client, client_secret: null } },
  },
  ReasonedAction: {
    mended: {
      summary: 'The cause has been mended',
      value: { reason: 'The credential at the provider has been renewed.' },
    },
  },
}
