/** What a batch consists of and what became of it, as customers see it: items, manifest, report, results; and what one would come to. */
import { z } from '@hono/zod-openapi'
import { batchStatuses, chunkStates, itemClasses, itemStatuses } from './batch-states.ts'
import { BatchId } from './batches.ts'
import { NullableTimestamp, pageOf, pageQuery, Timestamp, Usd } from './common.ts'
import { Confidentiality, JobOutput, Kind, Usage } from './jobs.ts'

const ItemStatus = z.enum(itemStatuses).openapi('BatchItemStatus')
const ItemClass = z.enum(itemClasses).openapi('BatchItemClass')
const Index = z.int().openapi({ description: 'Place in the input, from 0.' })
const ChunkIndex = z.int().openapi({ description: 'The chunk that the item is in.' })

export const BatchItemError = z
  .object({
    class: ItemClass,
    message: z.string(),
    retryable: z.boolean().openapi({ description: 'Whether running the same again may succeed.' }),
  })
  .openapi('BatchItemError')
export type BatchItemError = z.infer<typeof BatchItemError>

export const BatchItem = z
  .object({
    external_reference: z.string(),
    index: Index,
    status: ItemStatus,
    chunk: ChunkIndex,
    error: z.union([BatchItemError, z.null()]),
    usage: z.union([Usage, z.null()]),
  })
  .openapi('BatchItem')
export type BatchItem = z.infer<typeof BatchItem>

export const BatchItemPage = pageOf('BatchItemPage', BatchItem)

export const BatchItemQuery = z.object({ ...pageQuery, status: z.enum(itemStatuses).optional() })

const ChunkPath = z.enum(['batch', 'individual']).openapi({
  description: 'Whether it runs as a batch at the provider, or item by item as single jobs.',
})

export const BatchChunk = z
  .object({
    index: z.int(),
    path: ChunkPath,
    state: z.enum(chunkStates).openapi('BatchChunkState'),
    item_count: z.int(),
    bytes: z.int().openapi({ format: 'int64', description: "Of the items' lines." }),
    confidentiality: Confidentiality,
    retention_seconds: z.int(),
    delete_after: NullableTimestamp.openapi({
      description: 'When its content goes; known once the batch has ended.',
    }),
    provider_request_id: z.string().nullable(),
    submitted_at: NullableTimestamp,
    collected_at: NullableTimestamp,
  })
  .openapi('BatchChunk')
export type BatchChunk = z.infer<typeof BatchChunk>

const ManifestItem = z
  .object({
    index: Index,
    external_reference: z.string(),
    item_key: z.string().openapi({
      description:
        'Hash of tenant, kind, reference, processing version, model and its version: what `on_duplicate` goes by.',
    }),
    input_sha256: z
      .string()
      .openapi({ description: 'SHA-256 of the canonical JSON (RFC 8785) of the input, in hex.' }),
    chunk: ChunkIndex,
  })
  .openapi('BatchManifestItem')

export const BatchManifest = z
  .object({
    id: BatchId,
    object: z.literal('batch_manifest'),
    kind: Kind,
    model: z.string(),
    model_version: z.string(),
    provider: z.string(),
    processing_version: z.string(),
    confidentiality: Confidentiality,
    parent_batch_id: z.string().nullable(),
    items_file_id: z.string().nullable(),
    created_at: Timestamp,
    created_by: z.string(),
    retention: z.object({ retention_seconds: z.int(), content_expires_at: NullableTimestamp }).openapi({
      description: 'Of the batch; an item that asked for another time is in a chunk of its own.',
    }),
    item_count: z.int(),
    chunks: z.array(BatchChunk),
    items: z.array(ManifestItem).openapi({ description: 'A page of the items, in input order.' }),
    has_more: z.boolean(),
    next_cursor: z.string().nullable(),
  })
  .openapi('BatchManifest')
export type BatchManifest = z.infer<typeof BatchManifest>

export const BatchLineError = z
  .object({
    line: z
      .int()
      .openapi({ description: 'Line of the file, or place among inline items, from 1; 0 for the whole.' }),
    external_reference: z
      .string()
      .nullable()
      .openapi({ description: 'Null where the line has none of the right form.' }),
    class: ItemClass,
    detail: z.string(),
  })
  .openapi('BatchLineError')

const lineErrors = (description: string) => ({
  errors: z.array(BatchLineError).openapi({ description }),
  error_count: z.int(),
})

export const BatchReport = z
  .object({
    id: BatchId,
    object: z.literal('batch_report'),
    status: z.enum(batchStatuses),
    checks: z.array(
      z
        .object({ name: z.string(), passed: z.boolean(), detail: z.string().nullable() })
        .openapi('BatchReportCheck'),
    ),
    ...lineErrors(
      'What kept lines of the file, or all of it (line 0), from running, by line: the first 10,000; `error_count` counts all.',
    ),
    error_classes: z.record(z.string(), z.int()).openapi({
      description: 'How many items have an error of each class; those that expired have `deadline_exceeded`.',
      example: { missing_result: 2 },
    }),
    duration_ms: z
      .int()
      .nullable()
      .openapi({ format: 'int64', description: 'From acceptance to the end; null until then.' }),
    model_versions: z
      .array(z.string())
      .openapi({ description: 'That answered, as the provider named them; where it names none, none.' }),
  })
  .openapi('BatchReport')
export type BatchReport = z.infer<typeof BatchReport>

/** One line of the results. */
export const BatchResultLine = z
  .object({
    external_reference: z.string(),
    index: Index,
    status: z.enum(['succeeded', 'failed', 'cancelled', 'expired']),
    output: z.union([JobOutput, z.null()]).optional().openapi({
      description: 'Of an item that succeeded; null once it has been deleted.',
    }),
    content_deleted: z.literal(true).optional().openapi({
      description:
        'There where the output has been deleted: with the rest, or with the job that ran the item.',
    }),
    error: z.union([BatchItemError, z.null()]).optional().openapi({
      description: 'Of any other item; null for one that was cancelled.',
    }),
    usage: z.union([Usage, z.null()]),
  })
  .openapi('BatchResultLine')
export type BatchResultLine = z.infer<typeof BatchResultLine>

export const BatchEstimate = z
  .object({
    estimated_cost_usd: Usd.openapi({
      description: 'What one attempt at each item is expected to cost at most.',
    }),
    estimated_input_tokens: z.int(),
    model: z.string(),
    would_be_accepted: z.boolean().openapi({
      description:
        'Of `items`: whether a submission would get its 202 now. Of a file: whether the batch would run as things stand; its submission gets the 202 before the file is read, so what speaks against the items fails the batch afterwards.',
    }),
    reasons: z.array(z.string()).openapi({
      description:
        'Why not, as the last part of the problem type that a submission would get, or would get with the items of the file in `items`.',
    }),
    items: z.int().openapi({ description: 'That would run.' }),
    bytes: z.int().openapi({ format: 'int64', description: 'Of their lines.' }),
    chunks: z.array(
      z
        .object({
          index: z.int(),
          path: ChunkPath,
          item_count: z.int(),
          bytes: z.int().openapi({ format: 'int64' }),
          confidentiality: Confidentiality,
          retention_seconds: z.int(),
        })
        .openapi('BatchEstimateChunk'),
    ),
    ...lineErrors('What is no item: the first hundred; `error_count` counts all.'),
  })
  .openapi('BatchEstimate')
export type BatchEstimate = z.infer<typeof BatchEstimate>
