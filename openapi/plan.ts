/** What a tenant may use at most. */
import { z } from '@hono/zod-openapi'
import { UsdLimit } from './common.ts'

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
  .meta({ id: 'PlanInput', description: 'Limits of a tenant.' })
export type Plan = z.infer<typeof Plan>
export type PlanInput = z.input<typeof Plan>
