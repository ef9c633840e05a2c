import type { z } from '@hono/zod-openapi'
import type { Client, ClientPage, ClientRequest, ClientRotation, ClientWithSecret } from '../clients.ts'
import type {
  ReasonedAction,
  Resealing,
  Tenant,
  TenantDeletion,
  TenantPage,
  TenantPatch,
  TenantRequest,
} from '../ops.ts'
import { type Examples, ids, lastPage, TENANT } from './example.ts'

const tenant: z.input<typeof Tenant> = {
  id: TENANT,
  object: 'tenant',
  status: 'active',
  held: false,
  restore_epoch: 0,
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

const clientFields = {
  client_id: ids.client,
  object: 'client' as const,
  tenant_id: TENANT,
  name: 'Order service',
  scopes: ['jobs:read', 'jobs:write'],
  jwks: null,
  created_at: '2026-11-01T08:05:00.000Z',
}

const client: z.input<typeof Client> = { ...clientFields, former_secrets_until: null, disabled_at: null }

const created: z.input<typeof ClientWithSecret> = {
  ...clientFields,
  client_secret: 'gws_pK3n0v7xq5cR2b8Zt1LwD9yH6sJfUaEm4GoQiXrNkVc',
}

export const tenantExamples: {
  TenantRequest: Examples<typeof TenantRequest>
  TenantPatch: Examples<typeof TenantPatch>
  TenantDeletion: Examples<typeof TenantDeletion>
  Tenant: Examples<typeof Tenant>
  TenantPage: Examples<typeof TenantPage>
  ClientRequest: Examples<typeof ClientRequest>
  ClientWithSecret: Examples<typeof ClientWithSecret>
  Client: Examples<typeof Client>
  ClientPage: Examples<typeof ClientPage>
  ClientRotation: Examples<typeof ClientRotation>
  ReasonedAction: Examples<typeof ReasonedAction>
  Resealing: Examples<typeof Resealing>
} = {
  Resealing: {
    resealed: {
      summary: 'Two endpoints, of which one is older than the key',
      value: { tenant_id: TENANT, object: 'resealing', sealed: 5, resealed: 2, unreadable: 0 },
    },
  },
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
  TenantDeletion: {
    forced: {
      summary: 'With what has not ended',
      value: { force: true, reason: 'Contract 2026-117 has ended, and they asked for it.' },
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
  ClientWithSecret: {
    first: { summary: 'With the secret, this once', value: created },
    replayed: { summary: 'In a replay', value: { ...created, client_secret: null } },
  },
  Client: {
    client: { summary: 'A client', value: client },
    disabled: { summary: 'A disabled one', value: { ...client, disabled_at: '2026-11-20T09:00:00.000Z' } },
  },
  ClientPage: { page: { summary: 'The only page', value: { data: [client], ...lastPage } } },
  ClientRotation: {
    hour: {
      summary: 'With an hour in which both secrets are taken',
      value: { overlap_seconds: 3600, reason: 'Their yearly change.' },
    },
  },
  ReasonedAction: {
    mended: {
      summary: 'The cause has been mended',
      value: { reason: 'The credential at the provider has been renewed.' },
    },
  },
}
