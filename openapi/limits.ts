/** What a tenant may do, and what of it is left. */
import { z } from '@hono/zod-openapi'
import { NullableTimestamp, Timestamp, Usd } from './common.ts'
import { Plan } from './plan.ts'

const plan = Plan.shape
/** As in the operators' API, but open: a plan may gain limits. */
const TenantPlan = z
  .object(
    Object.fromEntries(Object.entries(plan).map(([name, field]) => [name, field.unwrap()])) as {
      [K in keyof typeof plan]: ReturnType<(typeof plan)[K]['unwrap']>
    },
  )
  .meta({ id: 'TenantPlan', description: 'Rates are for any minute; a budget of null is none.' })

const amount = (description: string) => z.int().min(0).meta({ format: 'int32', description })

const Limit = z
  .object({
    limit: amount('As the plan has it.'),
    used: amount('Above the limit for a while, where a plan was lowered.'),
    remaining: amount('What is left now.'),
    resets_at: NullableTimestamp.meta({
      description:
        'Of rates: when all of it is there again, if no more is used until then. Null where all of it is there.',
    }),
  })
  .meta({
    id: 'Limit',
    example: { limit: 6000, used: 12, remaining: 5988, resets_at: '2026-11-30T10:01:00.000Z' },
  })

/** What limits are called, in a plan and here. */
export const limitNames = [
  'requests_per_minute',
  'jobs_per_minute',
  'max_running',
  'max_backlog',
  'max_open_batches',
  'max_batch_chunks',
  'max_webhook_endpoints',
] as const satisfies (keyof Plan)[]
export type LimitName = (typeof limitNames)[number]

const meanings: Record<LimitName, string> = {
  requests_per_minute: 'Requests in the last 60 seconds, this one included.',
  jobs_per_minute: 'Starts of jobs in the last 60 seconds. Jobs above it wait.',
  max_running: 'Jobs that run, or are on their way to it. Others wait.',
  max_backlog: 'Unfinished jobs. Above it, submissions are refused.',
  max_open_batches: 'Unfinished batches. Above it, submissions are refused.',
  max_batch_chunks: 'Chunks of batches at their providers. Others wait.',
  max_webhook_endpoints: 'Webhook endpoints, disabled ones included.',
}

const Budget = z
  .object({
    month: z.string().meta({ description: 'In UTC.', example: '2026-11' }),
    limit_usd: Usd.nullable().meta({ description: 'Null: no budget.' }),
    booked_usd: Usd.meta({ description: 'What the month has cost so far.' }),
    reserved_usd: Usd.meta({ description: 'Set aside for work that has been accepted.' }),
    remaining_usd: Usd.nullable().meta({ description: 'What more can be accepted for. Null: no budget.' }),
    resets_at: Timestamp.meta({ description: 'When the next month begins.' }),
  })
  .meta({ id: 'Budget', description: 'The budget of this month, and what has become of it.' })

export const Limits = z
  .object({
    object: z.literal('limits'),
    plan: TenantPlan,
    limits: z
      .object(Object.fromEntries(limitNames.map((name) => [name, Limit])) as Record<LimitName, typeof Limit>)
      .meta({
        id: 'LimitsByName',
        description: Object.entries(meanings)
          .map(([name, meaning]) => `- \`${name}\`: ${meaning}`)
          .join('\n'),
      }),
    budget: Budget,
  })
  .meta({ id: 'Limits', description: 'What a tenant may do, and what of it is left.' })
export type Limits = z.infer<typeof Limits>
