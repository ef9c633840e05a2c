/** What operators send and see. */
import { z } from '@hono/zod-openapi'
import { pageOf, Timestamp, Usd, UsdLimit } from './common.ts'
import { closedEnum, openEnum } from './enums.ts'

export const Reason = z
  .string()
  .min(3)
  .max(500)
  .regex(/\S/)
  .openapi({ description: 'Why, not blank; kept in the audit log.' })

/** What every change that says all else by its path carries. */
export const ReasonedAction = z
  .strictObject({ reason: Reason })
  .openapi('ReasonedAction', { description: 'Why the operator does it.' })

/** A tenant's plan. Rates are per minute; null is no budget. */
export const Plan = z
  .strictObject({
    requests_per_minute: z.int().min(1).max(1_000_000).default(6000),
    jobs_per_minute: z.int().min(1).max(1_000_000).default(6000),
    max_running: z.int().min(1).max(10_000).default(50),
    max_backlog: z.int().min(1).max(1_000_000).default(100_000),
    max_open_batches: z.int().min(1).max(1000).default(20),
    max_batch_chunks: z.int().min(1).max(1000).default(10),
    max_webhook_endpoints: z.int().min(1).max(500).default(50),
    monthly_budget_usd: UsdLimit.nullable().default(null),
    test_models: z.boolean().default(false),
    shards: z.literal(1).default(1),
  })
  .openapi('PlanInput', { description: 'Limits of a tenant.' })
export type Plan = z.infer<typeof Plan>
export type PlanInput = z.input<typeof Plan>

/** The same fields, none required and none defaulted: what a PATCH may carry. */
export const PlanPatch = z
  .strictObject(
    Object.fromEntries(
      Object.entries(Plan.shape).map(([name, field]) => [name, field.unwrap().optional()]),
    ) as { [K in keyof typeof Plan.shape]: z.ZodOptional<ReturnType<(typeof Plan.shape)[K]['unwrap']>> },
  )
  .openapi('PlanPatch', {
    description: 'Limits of a tenant to set; those that are not named stay as they are.',
  })

const figure = z.int()

/** A plan as it is shown: every limit is there, and there may be more of them one day. */
export const PlanView = z
  .object({
    requests_per_minute: figure,
    jobs_per_minute: figure.openapi({ description: 'How many may start.' }),
    max_running: figure.openapi({ description: 'Jobs that run or are about to.' }),
    max_backlog: figure.openapi({ description: 'Jobs that have not ended.' }),
    max_open_batches: figure.openapi({ description: 'Batches that have not ended.' }),
    max_batch_chunks: figure.openapi({ description: 'Chunks that are at providers at once.' }),
    max_webhook_endpoints: figure,
    monthly_budget_usd: Usd.nullable().openapi({ description: 'USD; null for no budget.' }),
    test_models: z.boolean().openapi({ description: 'Whether `test/…` models may be used.' }),
    shards: figure,
  } satisfies Record<keyof typeof Plan.shape, z.ZodType>)
  .openapi('Plan', { description: 'The limits of a tenant.' })

export const tenantScopes = [
  'jobs:read',
  'jobs:write',
  'webhooks:read',
  'webhooks:write',
  'usage:read',
] as const
export const TenantScopeInput = closedEnum(
  'TenantScopeInput',
  tenantScopes,
  'Something that a client of a tenant may do.',
)
export const opsScopes = ['ops:read', 'ops:write'] as const
export type Scope = (typeof tenantScopes)[number] | (typeof opsScopes)[number]

export const TenantId = z.string().regex(/^[a-z0-9][a-z0-9-]{0,62}$/)

export const TenantRequest = z
  .strictObject({ id: TenantId, limits: PlanPatch.optional(), reason: Reason })
  .openapi('TenantRequest', { description: 'A tenant to create.' })

export const TenantPatch = z
  .strictObject({ limits: PlanPatch, reason: Reason })
  .openapi('TenantPatch', { description: 'Limits to change.' })

export const TenantDeletion = z
  .strictObject({
    force: z
      .boolean()
      .default(false)
      .openapi({ description: 'Also with jobs or batches that have not ended.' }),
    reason: Reason,
  })
  .openapi('TenantDeletion', { description: 'Whether unfinished work goes too, and why.' })

export const tenantStatuses = ['active', 'suspended', 'deleting'] as const
export type TenantStatus = (typeof tenantStatuses)[number]

const TenantStatusView = openEnum(
  'TenantStatus',
  tenantStatuses,
  'Requests of a suspended tenant are refused; its running jobs finish, and its webhooks are held. One that is being deleted does not come back.',
)

export const Tenant = z
  .object({
    id: z.string(),
    object: z.literal('tenant'),
    status: TenantStatusView,
    held: z.boolean().openapi({
      description: 'It was restored, and not released since: nothing is taken, started or sent.',
    }),
    restore_epoch: z.int().openapi({ description: 'How often it has been restored.' }),
    limits: PlanView,
    created_at: Timestamp,
  })
  .openapi('Tenant', { description: 'A customer, with its limits.' })

export const TenantPage = pageOf('TenantPage', Tenant)

export const Resealing = z
  .object({
    tenant_id: z.string().nullable().openapi({ description: "Null for operators' own." }),
    object: z.literal('resealing'),
    sealed: z.int().openapi({ description: 'Secrets that there are.' }),
    resealed: z.int().openapi({ description: 'Of these, those that lay under an older key.' }),
    unreadable: z.int().openapi({
      description:
        'Those that none of the keys opens: bring the missing key back, or have the secrets rotated.',
    }),
  })
  .openapi('Resealing', { description: 'What became of sealed secrets.' })
