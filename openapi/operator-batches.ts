/** Batches as operators see them, and what they decide about those that make no headway. Never content, nor references. */
import { z } from '@hono/zod-openapi'
import { BatchChunk } from './batch-contents.ts'
import { Batch } from './batches.ts'
import { NullableTimestamp, pageQuery, Usd } from './common.ts'
import { Delivery } from './deliveries.ts'
import { failureClasses } from './jobs.ts'
import { Reason, TenantId } from './ops.ts'

export const OperatorBatchQuery = z.object({
  ...pageQuery,
  stalled: z.enum(['true']).optional().openapi({
    description: 'The list is of these anyway: batches with chunks that their provider does not answer.',
  }),
  tenant_id: TenantId.optional(),
})
export type OperatorBatchQuery = z.infer<typeof OperatorBatchQuery>

/** Which tenant's. */
export const OperatorBatchOwner = z.object({
  tenant_id: TenantId.optional().openapi({
    description:
      'Whose it is. Left out, the ledgers that have been active since are asked for it, one after the other.',
  }),
})

const figures = {
  tenant_id: z.string(),
  stalled_chunks: z.int().openapi({ description: 'That have waited at the provider for too long.' }),
  unknown_chunks: z
    .int()
    .openapi({ description: 'Of which nobody can tell whether they arrived at the provider.' }),
  stalled_since: NullableTimestamp,
}

export const OperatorBatch = Batch.extend(figures).openapi('OperatorBatch')
export type OperatorBatch = z.infer<typeof OperatorBatch>

export const OperatorBatchPage = z
  .object({
    data: z.array(OperatorBatch),
    unreachable_tenants: z.array(z.string()).openapi({
      description: 'Tenants of the page whose ledgers did not answer: what they have is not shown.',
    }),
    has_more: z.boolean(),
    next_cursor: z.string().nullable(),
  })
  .openapi('OperatorBatchPage')

const OperatorChunk = BatchChunk.extend({
  tries: z.int().openapi({ description: 'Submissions so far.' }),
  polls: z.int(),
  stalled_at: NullableTimestamp.openapi({
    description: 'Since when it has waited too long; null while it has not.',
  }),
  last_error_class: z.enum(failureClasses).nullable(),
  cost_usd: Usd,
}).openapi('OperatorBatchChunk')

export const OperatorBatchDetail = OperatorBatch.extend({
  provider: z.string(),
  workflow_instance: z.int().openapi({ description: 'Number of the Workflow instance that acts for it.' }),
  progress_at: NullableTimestamp.openapi({ description: 'When the Workflow last showed itself.' }),
  chunks: z.array(OperatorChunk),
  deliveries: z.array(Delivery).openapi({ description: 'Of the events that tell of it, oldest first.' }),
}).openapi('OperatorBatchDetail')
export type OperatorBatchDetail = z.infer<typeof OperatorBatchDetail>

/** What every decision about a batch carries. */
export const BatchDecision = z
  .strictObject({ reason: Reason })
  .openapi('BatchDecision', { example: { reason: 'The provider has confirmed that it works on it.' } })
