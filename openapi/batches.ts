/** Batches as customers send and see them. */
import { z } from '@hono/zod-openapi'
import { kindNames } from '../catalog/kind.ts'
import { batchStatuses, batchStatusReasons } from './batch-states.ts'
import { Metadata, NullableTimestamp, pageOf, pageQuery, Timestamp, Usd } from './common.ts'
import { Kind, Usage } from './jobs.ts'

export const BatchId = z.string().openapi({ example: 'batch_01jd0000000000000000000000000' })

export const BatchCounts = z
  .object({
    total: z.int(),
    pending: z.int(),
    succeeded: z.int(),
    failed: z.int(),
    cancelled: z.int(),
    expired: z.int(),
  })
  .openapi('BatchCounts', {
    description:
      'Items by status; `total` is always the sum of the others. All are 0 until a file has been planned.',
  })
export type BatchCounts = z.infer<typeof BatchCounts>

export const batchUrlFields = {
  status_url: z.string().openapi({ format: 'uri' }),
  results_url: z.string().openapi({ format: 'uri' }),
}

export const Batch = z
  .object({
    id: BatchId,
    object: z.literal('batch'),
    kind: Kind,
    model: z.string(),
    model_version: z.string(),
    processing_version: z.string(),
    status: z.enum(batchStatuses).openapi('BatchStatus'),
    terminal: z.boolean(),
    status_reason: z.enum(batchStatusReasons).nullable(),
    counts: BatchCounts,
    created_at: Timestamp,
    started_at: NullableTimestamp,
    finished_at: NullableTimestamp,
    deadline_at: Timestamp,
    content_expires_at: NullableTimestamp,
    usage: z.union([Usage, z.null()]),
    metadata: Metadata,
    parent_batch_id: z.string().nullable().openapi({ description: 'Of a rerun: the batch that it reruns.' }),
    created_by: z.string().openapi({ description: 'The client that submitted the batch.' }),
    ...batchUrlFields,
  })
  .openapi('Batch')
export type Batch = z.infer<typeof Batch>

export const BatchPage = pageOf('BatchPage', Batch)

export const BatchQuery = z.object({
  ...pageQuery,
  status: z.enum(batchStatuses).optional(),
  kind: z.enum(kindNames).optional(),
  created_after: z.iso.datetime({ offset: true }).optional().openapi({ format: 'date-time' }),
  created_before: z.iso.datetime({ offset: true }).optional().openapi({ format: 'date-time' }),
})
export type BatchQuery = z.infer<typeof BatchQuery>

export const BatchCancellation = z
  .object({
    object: z.literal('batch_cancellation'),
    batch: Batch,
    stopped: z.int().openapi({ description: 'Items that were pending, and are cancelled now.' }),
    already_finished: z.int().openapi({ description: 'Items that had ended; their results are kept.' }),
    charged_usd: Usd.openapi({
      description: 'What the batch has cost, with what was out and cannot be called off at its estimate.',
    }),
  })
  .openapi('BatchCancellation')
export type BatchCancellation = z.infer<typeof BatchCancellation>
