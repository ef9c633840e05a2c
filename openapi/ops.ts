/** What operators send and see. */
import { z } from '@hono/zod-openapi'
import { pageOf, Timestamp, UsdLimit } from './common.ts'

export const Reason = z
  .string()
  .min(3)
  .max(500)
  .regex(/\S/)
  .openapi({ description: 'Why, not blank; kept in the audit log.' })

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
  .openapi('Plan')
export type Plan = z.infer<typeof Plan>

/** The same fields, none required and none defaulted: what a PATCH may carry. */
export const PlanPatch = z
  .strictObject(
    Object.fromEntries(
      Object.entries(Plan.shape).map(([name, field]) => [name, field.unwrap().optional()]),
    ) as { [K in keyof typeof Plan.shape]: z.ZodOptional<ReturnType<(typeof Plan.shape)[K]['unwrap']>> },
  )
  .openapi('PlanPatch')

export const tenantScopes = [
  'jobs:read',
  'jobs:write',
  'webhooks:read',
  'webhooks:write',
  'usage:read',
] as const
export const opsScopes = ['ops:read', 'ops:write'] as const
export type Scope = (typeof tenantScopes)[number] | (typeof opsScopes)[number]

export const TenantId = z.string().regex(/^[a-z0-9][a-z0-9-]{0,62}$/)

export const TenantRequest = z
  .strictObject({ id: TenantId, limits: PlanPatch.optional(), reason: Reason })
  .openapi('TenantRequest')

export const TenantPatch = z.strictObject({ limits: PlanPatch, reason: Reason }).openapi('TenantPatch')

export const Tenant = z
  .object({
    id: z.string(),
    object: z.literal('tenant'),
    status: z.enum(['active', 'suspended']),
    limits: Plan,
    created_at: Timestamp,
  })
  .openapi('Tenant')

export const TenantPage = pageOf('TenantPage', Tenant)
