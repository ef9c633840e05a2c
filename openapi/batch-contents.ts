/** What a batch consists of and what became of it, as customers see it: items, manifest, report, results; and what one would come to. */
import { z } from '@hono/zod-openapi'
import { chunkStates, itemClasses, itemStatuses } from './batch-states.ts'
import { BatchId, BatchStatusShown } from './batches.ts'
import { NullableTimestamp, pageFields, pageOf, pageQuery, Timestamp, Usd } from './common.ts'
import { closedEnum, noted, openEnum, orNull } from './enums.ts'
import { Confidentiality, Kind } from './job-words.ts'
import { JobOutput, Usage } from './jobs.ts'

const ItemStatus = openEnum('BatchItemStatus', itemStatuses, 'What became of an item so far.')
const ItemStatusFilter = closedEnum('BatchItemStatusFilter', itemStatuses, 'Only items with this status.')
const ItemClass = openEnum(
  'BatchItemClass',
  itemClasses,
  'What an item failed of: what a job can, and `missing_result` and `duplicate_result` of the provider.',
)
const ChunkState = openEnum(
  'BatchChunkState',
  chunkStates,
  'How far a chunk is. `unknown`: it was sent, and nobody can find out whether it arrived.',
)
const Index = z.int().meta({ description: 'Place in the input, from 0.' })
const ChunkIndex = z.int().meta({ description: 'The chunk that the item is in.' })

export const BatchItemError = z
  .object({
    class: ItemClass,
    message: z.string(),
    retryable: z.boolean().meta({ description: 'Whether running the same again may succeed.' }),
  })
  .meta({ id: 'BatchItemError', description: 'Why an item has no output.' })
export type BatchItemError = z.infer<typeof BatchItemError>

export const BatchItem = z
  .object({
    external_reference: z.string(),
    index: Index,
    status: ItemStatus,
    chunk: ChunkIndex,
    error: orNull(BatchItemError).meta({ description: 'Null unless it failed or expired.' }),
    usage: orNull(Usage).meta({ description: 'Null where nobody counted.' }),
  })
  .meta({ id: 'BatchItem', description: 'What became of one item of a batch.' })
export type BatchItem = z.infer<typeof BatchItem>

export const BatchItemPage = pageOf('BatchItemPage', BatchItem)

export const BatchItemQuery = z.object({ ...pageQuery, status: ItemStatusFilter.optional() })

const ChunkPath = openEnum(
  'BatchChunkPath',
  ['batch', 'individual'],
  'Whether it runs as a batch at the provider, or item by item as single jobs.',
)

export const BatchChunk = z
  .object({
    index: z.int(),
    path: ChunkPath,
    state: ChunkState,
    item_count: z.int(),
    bytes: z.int().meta({ format: 'int64', description: "Of the items' lines." }),
    confidentiality: Confidentiality,
    retention_seconds: z.int(),
    delete_after: NullableTimestamp.meta({
      description: 'When its content goes; known once the batch has ended.',
    }),
    provider_request_id: z.string().nullable(),
    submitted_at: NullableTimestamp,
    collected_at: NullableTimestamp,
  })
  .meta({ id: 'BatchChunk', description: 'A part of a batch that goes to the provider as one.' })
export type BatchChunk = z.infer<typeof BatchChunk>

const ManifestItem = z
  .object({
    index: Index,
    external_reference: z.string(),
    item_key: z.string().meta({
      description:
        'Hash of tenant, kind, reference, processing version, model and its version: what `on_duplicate` goes by.',
    }),
    input_sha256: z
      .string()
      .meta({ description: 'SHA-256 of the canonical JSON (RFC 8785) of the input, in hex.' }),
    chunk: ChunkIndex,
  })
  .meta({ id: 'BatchManifestItem', description: 'An item as it was planned.' })

const Retention = z.object({ retention_seconds: z.int(), content_expires_at: NullableTimestamp }).meta({
  id: 'BatchRetention',
  description: 'Of the batch; an item that asked for another time is in a chunk of its own.',
})

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
    retention: Retention,
    item_count: z.int(),
    chunks: z.array(BatchChunk),
    items: z.array(ManifestItem).meta({ description: 'A page of the items, in input order.' }),
    ...pageFields,
  })
  .meta({
    id: 'BatchManifest',
    description: 'What a batch was to do, and how it was cut into chunks, before anything was sent.',
  })
export type BatchManifest = z.infer<typeof BatchManifest>

export const BatchLineError = z
  .object({
    line: z
      .int()
      .meta({ description: 'Line of the file, or place among inline items, from 1; 0 for the whole.' }),
    external_reference: z
      .string()
      .nullable()
      .meta({ description: 'Null where the line has none of the right form.' }),
    class: ItemClass,
    detail: z.string(),
  })
  .meta({ id: 'BatchLineError', description: 'What is wrong with one line or item.' })

const lineErrors = (description: string) => ({
  errors: z.array(BatchLineError).meta({ description }),
  error_count: z.int(),
})

const ReportCheck = z
  .object({ name: z.string(), passed: z.boolean(), detail: z.string().nullable() })
  .meta({ id: 'BatchReportCheck', description: 'Something that was checked when the batch ended.' })

export const BatchReport = z
  .object({
    id: BatchId,
    object: z.literal('batch_report'),
    status: BatchStatusShown,
    checks: z.array(ReportCheck),
    ...lineErrors(
      'What kept lines of the file, or all of it (line 0), from running, by line: the first 10,000; `error_count` counts all.',
    ),
    error_classes: z.record(z.string(), z.int()).meta({
      description: 'How many items have an error of each class; those that expired have `deadline_exceeded`.',
    }),
    duration_ms: z
      .int()
      .nullable()
      .meta({ format: 'int64', description: 'From acceptance to the end; null until then.' }),
    model_versions: z
      .array(z.string())
      .meta({ description: 'That answered, as the provider named them; where it names none, none.' }),
  })
  .meta({ id: 'BatchReport', description: 'What was checked of a batch, and what failed.' })
export type BatchReport = z.infer<typeof BatchReport>

const usage = orNull(Usage).meta({ description: 'Null where nobody counted.' })
const lineFields = <S extends string>(status: S) => ({
  external_reference: z.string().meta({ description: 'Your own name for the item.' }),
  index: Index,
  status: z.literal(status),
})

const SucceededLine = z
  .object({
    ...lineFields('succeeded'),
    output: orNull(noted(JobOutput, {})).meta({ description: 'Null once it has been deleted.' }),
    content_deleted: z.literal(true).optional().meta({
      description:
        'There where the output has been deleted: with the rest, or with the job that ran the item.',
    }),
    usage,
  })
  .meta({ id: 'SucceededBatchResult', description: 'An item that has an output.' })
const FailedLine = z
  .object({ ...lineFields('failed'), error: BatchItemError, usage })
  .meta({ id: 'FailedBatchResult', description: 'An item that failed.' })
const ExpiredLine = z
  .object({ ...lineFields('expired'), error: BatchItemError, usage })
  .meta({ id: 'ExpiredBatchResult', description: 'An item that had no result at the deadline.' })
const CancelledLine = z
  .object({ ...lineFields('cancelled'), error: orNull(BatchItemError), usage })
  .meta({ id: 'CancelledBatchResult', description: 'An item that was called off.' })

/** One line of the results. */
export const BatchResultLine = z
  .discriminatedUnion('status', [SucceededLine, FailedLine, CancelledLine, ExpiredLine])
  .meta({
    id: 'BatchResultLine',
    description: 'One line of the results: an item that has ended; `status` says how.',
  })
export type BatchResultLine = z.infer<typeof BatchResultLine>

/** For who looks at what came of an item before its status. */
export type AnyBatchResultLine = BatchResultLine & {
  readonly output?: unknown
  readonly error?: BatchItemError | null
}

const EstimateChunk = z
  .object({
    index: z.int(),
    path: ChunkPath,
    item_count: z.int(),
    bytes: z.int().meta({ format: 'int64' }),
    confidentiality: Confidentiality,
    retention_seconds: z.int(),
  })
  .meta({ id: 'BatchEstimateChunk', description: 'A chunk that the batch would be cut into.' })

export const BatchEstimate = z
  .object({
    estimated_cost_usd: Usd.meta({
      description: 'What one attempt at each item is expected to cost at most.',
    }),
    estimated_input_tokens: z.int().meta({ format: 'int64' }),
    model: z.string(),
    would_be_accepted: z.boolean().meta({
      description:
        'Of `items`: whether a submission would get its 202 now. Of a file: whether the batch would run as things stand; its submission gets the 202 before the file is read, so what speaks against the items fails the batch afterwards.',
    }),
    reasons: z.array(z.string()).meta({
      description:
        'Why not, as the last part of the problem type that a submission would get, or would get with the items of the file in `items`.',
    }),
    items: z.int().meta({ description: 'That would run.' }),
    bytes: z.int().meta({ format: 'int64', description: 'Of their lines.' }),
    chunks: z.array(EstimateChunk),
    ...lineErrors('What is no item: the first hundred; `error_count` counts all.'),
  })
  .meta({
    id: 'BatchEstimate',
    description: 'What a batch would come to and cost, and whether it would be accepted now.',
  })
export type BatchEstimate = z.infer<typeof BatchEstimate>
