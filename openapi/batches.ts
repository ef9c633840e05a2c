/** Batches as customers send and see them. */
import { z } from '@hono/zod-openapi'
import { batchStatuses, batchStatusReasons } from './batch-states.ts'
import { Metadata, NullableTimestamp, pageOf, pageQuery, Timestamp, timeFilter, Usd } from './common.ts'
import { closedEnum, openEnum, orNull } from './enums.ts'
import { Kind, KindFilter } from './job-words.ts'
import { Usage } from './jobs.ts'

export const BatchId = z.string().meta({ example: 'batch_01kb9m2v7r000b5e8h1n4q7s0u3y' })

export const BatchStatusShown = openEnum(
  'BatchStatus',
  batchStatuses,
  '`accepted` and `processing` are under way; `partially_failed` has successes and others; `discarded` had its results deleted.',
)
const BatchStatusFilter = closedEnum('BatchStatusFilter', batchStatuses, 'Only batches with this status.')
const BatchStatusReason = openEnum(
  'BatchStatusReason',
  batchStatusReasons,
  'What a batch that has not ended is about; `invalid_items`: it failed over its file.',
)

export const BatchCounts = z
  .object({
    total: z.int(),
    pending: z.int(),
    succeeded: z.int(),
    failed: z.int(),
    cancelled: z.int(),
    expired: z.int(),
  })
  .meta({
    id: 'BatchCounts',
    description:
      'Items by status; `total` is always the sum of the others. All are 0 until a file has been planned.',
  })
export type BatchCounts = z.infer<typeof BatchCounts>

export const batchUrlFields = {
  status_url: z.string().meta({ format: 'uri', description: 'Where to read the batch.' }),
  results_url: z.string().meta({ format: 'uri', description: 'Where to read its results, as NDJSON.' }),
}

export const Batch = z
  .object({
    id: BatchId,
    object: z.literal('batch'),
    kind: Kind,
    model: z.string(),
    model_version: z.string(),
    processing_version: z.string(),
    status: BatchStatusShown,
    terminal: z.boolean().meta({ description: 'Whether the batch has ended.' }),
    status_reason: orNull(BatchStatusReason),
    counts: BatchCounts,
    created_at: Timestamp,
    started_at: NullableTimestamp,
    finished_at: NullableTimestamp,
    deadline_at: Timestamp,
    content_expires_at: NullableTimestamp,
    usage: orNull(Usage).meta({ description: 'Of all items; null while nothing has been counted.' }),
    metadata: Metadata,
    parent_batch_id: z.string().nullable().meta({ description: 'Of a rerun: the batch that it reruns.' }),
    created_by: z.string().meta({ description: 'The client that submitted the batch.' }),
    ...batchUrlFields,
  })
  .meta({ id: 'Batch', description: 'A batch and what became of it.' })
export type Batch = z.infer<typeof Batch>

export const BatchPage = pageOf('BatchPage', Batch)

export const BatchQuery = z.object({
  ...pageQuery,
  status: BatchStatusFilter.optional(),
  kind: KindFilter.optional(),
  created_after: timeFilter('Only what was created at this time or later.'),
  created_before: timeFilter('Only what was created before this time.'),
})
export type BatchQuery = z.infer<typeof BatchQuery>

export const BatchCancellation = z
  .object({
    object: z.literal('batch_cancellation'),
    batch: Batch,
    stopped: z.int().meta({ description: 'Items that were pending, and are cancelled now.' }),
    already_finished: z.int().meta({ description: 'Items that had ended; their results are kept.' }),
    charged_usd: Usd.meta({
      description: 'What the batch has cost, with what was out and cannot be called off at its estimate.',
    }),
  })
  .meta({ id: 'BatchCancellation', description: 'The receipt of a cancellation.' })
export type BatchCancellation = z.infer<typeof BatchCancellation>
