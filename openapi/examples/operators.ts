import type { z } from '@hono/zod-openapi'
import type { DeadLetter, DeadLetterPage, Redrive, RedriveByFilter, RedriveReport } from '../dead-letters.ts'
import type { OperatorBatch, OperatorBatchDetail, OperatorBatchPage } from '../operator-batches.ts'
import type {
  Client,
  ClientRequest,
  ReasonedAction,
  Tenant,
  TenantPage,
  TenantPatch,
  TenantRequest,
} from '../ops.ts'
import { partiallyFailed } from './batches.ts'
import { type Examples, ids, lastPage, times } from './example.ts'

const TENANT = 'acme'

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

const open: DeadLetter = {
  id: ids.deadLetter,
  object: 'dead_letter',
  queue: 'jobs',
  tenant_id: TENANT,
  job_id: ids.failedJob,
  batch_id: null,
  delivery_id: null,
  schema_version: 1,
  class: 'permission_denied',
  attempts: 1,
  message_sha256: null,
  status: 'open',
  redrivable: true,
  redrive_reason: 'The provider refused our access, not the job.',
  redrive_conditions: ['The credential at the provider is valid again.'],
  created_at: times.finished,
  review_by: '2026-12-02T10:00:02.087Z',
  redriven_by: null,
  redriven_at: null,
  redrive_note: null,
  new_job_id: null,
}

const stalled: OperatorBatch = {
  ...partiallyFailed,
  status: 'processing',
  terminal: false,
  status_reason: 'stalled',
  finished_at: null,
  content_expires_at: null,
  tenant_id: TENANT,
  stalled_chunks: 1,
  unknown_chunks: 0,
  stalled_since: '2026-11-29T16:00:00.000Z',
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

export const deadLetterExamples: {
  DeadLetter: Examples<typeof DeadLetter>
  DeadLetterPage: Examples<typeof DeadLetterPage>
  Redrive: Examples<typeof Redrive>
  RedriveByFilter: Examples<typeof RedriveByFilter>
  RedriveReport: Examples<typeof RedriveReport>
} = {
  DeadLetter: {
    open: { summary: 'One that waits for an operator', value: open },
    resolved: { summary: 'One that was resolved', value: { ...open, status: 'resolved', redrivable: false } },
  },
  DeadLetterPage: { page: { summary: 'The only page', value: { data: [open], ...lastPage } } },
  Redrive: {
    redrive: {
      summary: 'The new job',
      value: {
        object: 'redrive',
        dead_letter_id: ids.deadLetter,
        tenant_id: TENANT,
        redrive_of: ids.failedJob,
        new_job_id: ids.redrivenJob,
      },
    },
  },
  RedriveByFilter: {
    dryRun: {
      summary: 'What would become of them',
      value: { class: 'permission_denied', dry_run: true },
    },
    redrive: {
      summary: 'Those of a tenant',
      value: {
        class: 'permission_denied',
        tenant_id: TENANT,
        limit: 50,
        reason: 'The credential at the provider has been renewed.',
      },
    },
  },
  RedriveReport: {
    dryRun: {
      summary: 'What a redrive would come to',
      value: {
        object: 'redrive_report',
        dry_run: true,
        redriven: 0,
        would_redrive: 1,
        refused: 0,
        data: [
          {
            dead_letter_id: ids.deadLetter,
            outcome: 'would_redrive',
            new_job_id: ids.redrivenJob,
            reason: null,
          },
        ],
        ...lastPage,
      },
    },
    redriven: {
      summary: 'What became of them',
      value: {
        object: 'redrive_report',
        dry_run: false,
        redriven: 1,
        would_redrive: 0,
        refused: 0,
        data: [
          {
            dead_letter_id: ids.deadLetter,
            outcome: 'redriven',
            new_job_id: ids.redrivenJob,
            reason: null,
          },
        ],
        ...lastPage,
      },
    },
  },
}

export const operatorBatchExamples: {
  OperatorBatchPage: Examples<typeof OperatorBatchPage>
  OperatorBatchDetail: Examples<typeof OperatorBatchDetail>
} = {
  OperatorBatchPage: {
    page: { summary: 'The only page', value: { data: [stalled], unreachable_tenants: [], ...lastPage } },
  },
  OperatorBatchDetail: {
    stalled: {
      summary: 'A batch with a chunk that its provider does not answer',
      value: {
        ...stalled,
        provider: 'openai',
        workflow_instance: 1,
        progress_at: '2026-11-29T15:58:30.000Z',
        chunks: [
          {
            index: 0,
            path: 'batch',
            state: 'submitted',
            item_count: 2,
            bytes: 184,
            confidentiality: 'internal',
            retention_seconds: 604_800,
            delete_after: null,
            provider_request_id: 'batch_68f0c1',
            submitted_at: times.started,
            collected_at: null,
            tries: 1,
            polls: 42,
            stalled_at: '2026-11-29T16:00:00.000Z',
            last_error_class: null,
            cost_usd: 0,
          },
        ],
        deliveries: [],
      },
    },
  },
}
