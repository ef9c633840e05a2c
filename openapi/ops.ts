/** What operators send and see. */
import { z } from '@hono/zod-openapi'
import { pageOf, Timestamp, Usd } from './common.ts'
import { closedEnum, openEnum } from './enums.ts'
import { Plan } from './plan.ts'
import { TenantId, tenantScopes, tenantStatuses } from './tenant-words.ts'

export const Reason = z
  .string()
  .min(3)
  .max(500)
  .regex(/\S/)
  .meta({ description: 'Why, not blank; kept in the audit log.' })

/** What every change that says all else by its path carries. */
export const ReasonedAction = z
  .strictObject({ reason: Reason })
  .meta({ id: 'ReasonedAction', description: 'Why the operator does it.' })

/** The same fields, none required and none defaulted: what a PATCH may carry. */
export const PlanPatch = z
  .strictObject(
    Object.fromEntries(
      Object.entries(Plan.shape).map(([name, field]) => [name, field.unwrap().optional()]),
    ) as { [K in keyof typeof Plan.shape]: z.ZodOptional<ReturnType<(typeof Plan.shape)[K]['unwrap']>> },
  )
  .meta({
    id: 'PlanPatch',
    description: 'Limits of a tenant to set; those that are not named stay as they are.',
  })

const figure = z.int()

/** A plan as it is shown: every limit is there, and there may be more of them one day. */
export const PlanView = z
  .object({
    requests_per_minute: figure,
    jobs_per_minute: figure.meta({ description: 'How many may start.' }),
    max_running: figure.meta({ description: 'Jobs that run or are about to.' }),
    max_backlog: figure.meta({ description: 'Jobs that have not ended.' }),
    max_open_batches: figure.meta({ description: 'Batches that have not ended.' }),
    max_batch_chunks: figure.meta({ description: 'Chunks that are at providers at once.' }),
    max_webhook_endpoints: figure,
    monthly_budget_usd: Usd.nullable().meta({ description: 'USD; null for no budget.' }),
    test_models: z.boolean().meta({ description: 'Whether `test/…` models may be used.' }),
    shards: figure,
  } satisfies Record<keyof typeof Plan.shape, z.ZodType>)
  .meta({ id: 'Plan', description: 'The limits of a tenant.' })

export const TenantScopeInput = closedEnum(
  'TenantScopeInput',
  tenantScopes,
  'Something that a client of a tenant may do.',
)
export const TenantRequest = z
  .strictObject({ id: TenantId, limits: PlanPatch.optional(), reason: Reason })
  .meta({ id: 'TenantRequest', description: 'A tenant to create.' })

export const TenantPatch = z
  .strictObject({ limits: PlanPatch, reason: Reason })
  .meta({ id: 'TenantPatch', description: 'Limits to change.' })

export const TenantDeletion = z
  .strictObject({
    force: z.boolean().default(false).meta({ description: 'Also with jobs or batches that have not ended.' }),
    reason: Reason,
  })
  .meta({ id: 'TenantDeletion', description: 'Whether unfinished work goes too, and why.' })

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
    held: z.boolean().meta({
      description: 'It was restored, and not released since: nothing is taken, started or sent.',
    }),
    restore_epoch: z.int().meta({ description: 'How often it has been restored.' }),
    limits: PlanView,
    created_at: Timestamp,
  })
  .meta({ id: 'Tenant', description: 'A customer, with its limits.' })

export const TenantPage = pageOf('TenantPage', Tenant)

export const Resealing = z
  .object({
    tenant_id: z.string().nullable().meta({ description: "Null for operators' own." }),
    object: z.literal('resealing'),
    sealed: z.int().meta({ description: 'Secrets that there are.' }),
    resealed: z.int().meta({ description: 'Of these, those that lay under an older key.' }),
    unreadable: z.int().meta({
      description:
        'Those that none of the keys opens: bring the missing key back, or have the secrets rotated.',
    }),
  })
  .meta({ id: 'Resealing', description: 'What became of sealed secrets.' })
