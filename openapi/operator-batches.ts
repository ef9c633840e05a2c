/** Batches as operators see them, and what they decide about those that make no headway. Never content, nor references. */
import { z } from '@hono/zod-openapi'
import { BatchChunk } from './batch-contents.ts'
import { Batch } from './batches.ts'
import { NullableTimestamp, pageFields, pageQuery, Usd } from './common.ts'
import { DeadLetter } from './dead-letters.ts'
import { orNull } from './enums.ts'
import { JobFailureClass } from './job-words.ts'
import { metadataKeys, OperatorDelivery } from './operator-deliveries.ts'
import { TenantId } from './tenant-words.ts'

export const OperatorBatchQuery = z.object({
  ...pageQuery,
  stalled: z.enum(['true']).optional().meta({
    description: 'The list is of these anyway: batches with chunks that their provider does not answer.',
  }),
  tenant_id: TenantId.optional().meta({ description: 'Only those of this tenant.' }),
})
export type OperatorBatchQuery = z.infer<typeof OperatorBatchQuery>

/** Which tenant's job or batch. */
export const OwnerQuery = z.object({
  tenant_id: TenantId.optional().meta({
    description:
      'Whose it is. Left out, the ledgers that have been active since are asked for it, one after the other.',
  }),
})

const { metadata: _, status_url: __, results_url: ___, ...shown } = Batch.shape

const figures = {
  tenant_id: z.string(),
  metadata_keys: metadataKeys,
  stalled_chunks: z.int().meta({ description: 'That have waited at the provider for too long.' }),
  unknown_chunks: z
    .int()
    .meta({ description: 'Of which nobody can tell whether they arrived at the provider.' }),
  stalled_since: NullableTimestamp,
}

export const OperatorBatch = z
  .object({ ...shown, ...figures })
  .meta({ id: 'OperatorBatch', description: 'A batch of a tenant, as operators see it: without content.' })
export type OperatorBatch = z.infer<typeof OperatorBatch>

export const OperatorBatchPage = z
  .object({
    data: z.array(OperatorBatch),
    unreachable_tenants: z.array(z.string()).meta({
      description: 'Tenants of the page whose ledgers did not answer: what they have is not shown.',
    }),
    ...pageFields,
  })
  .meta({ id: 'OperatorBatchPage', description: 'One page of a list.' })

const OperatorChunk = z
  .object({
    ...BatchChunk.shape,
    tries: z.int().meta({ description: 'Submissions so far.' }),
    polls: z.int(),
    stalled_at: NullableTimestamp.meta({
      description: 'Since when it has waited too long; null while it has not.',
    }),
    last_error_class: orNull(JobFailureClass),
    cost_usd: Usd,
  })
  .meta({ id: 'OperatorBatchChunk', description: 'A chunk of a batch, with what was done about it.' })

export const OperatorBatchDetail = z
  .object({
    ...OperatorBatch.shape,
    provider: z.string(),
    workflow_instance: z.int().meta({ description: 'Number of the Workflow instance that acts for it.' }),
    progress_at: NullableTimestamp.meta({ description: 'When the Workflow last showed itself.' }),
    chunks: z.array(OperatorChunk),
    dead_letter: orNull(DeadLetter),
    deliveries: z
      .array(OperatorDelivery)
      .meta({ description: 'Of the events that tell of it, oldest first.' }),
  })
  .meta({ id: 'OperatorBatchDetail', description: 'A batch of a tenant with its chunks and deliveries.' })
export type OperatorBatchDetail = z.infer<typeof OperatorBatchDetail>
