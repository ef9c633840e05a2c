/** Batches as customers send and see them. */
import { z } from '@hono/zod-openapi'
import { type KindName, kindNames } from '../catalog/kind.ts'
import { kinds } from '../catalog/kinds.ts'
import { itemName } from './batch-items.ts'
import { batchStatuses, batchStatusReasons, chunkStates, itemClasses, itemStatuses } from './batch-states.ts'
import { Metadata, NullableTimestamp, pageOf, pageQuery, Timestamp, Usd } from './common.ts'
import { Confidentiality, capitalised, JobOutput, Kind, requestFields, Usage } from './jobs.ts'

export const MAX_INLINE_ITEMS = 1000

const BatchId = z.string().openapi({ example: 'batch_01jd0000000000000000000000000' })

const fields = {
  ...requestFields,
  items_file_id: z.string().min(1).max(64).optional().openapi({
    description:
      'An uploaded NDJSON file instead of `items`: one item a line, up to 50,000 lines of up to 1 MiB each.',
    example: 'file_01jd0000000000000000000000000',
  }),
  on_invalid: z.enum(['fail', 'skip']).optional().openapi({
    default: 'fail',
    description:
      'What becomes of a file with lines that are no items: the batch fails before anything is sent, or they are left out. The report names each.',
  }),
  on_deadline: z.enum(['expire', 'run_individually']).optional().openapi({
    default: 'expire',
    description:
      'What becomes of items that have no result at the deadline: they expire, or run as single jobs, until twice the deadline.',
  }),
  on_duplicate: z.enum(['refuse', 'run']).optional().openapi({
    default: 'refuse',
    description:
      'What becomes of items that are open in another batch, with the same kind, reference, processing version and model.',
  }),
}

/** Described here, and checked where items are planned: there all that is wrong with any of them is found at once. */
const itemsOf = (kind: KindName) =>
  z
    .array(z.unknown())
    .min(1)
    .max(MAX_INLINE_ITEMS)
    .openapi({ items: { $ref: `#/components/schemas/${itemName(kind)}` } })

const requestOf = <K extends KindName, P extends z.ZodType>(kind: K, { params }: { params: P }) =>
  z
    .strictObject({
      kind: z.literal(kind),
      items: itemsOf(kind).optional(),
      params: params.optional(),
      ...fields,
    })
    .refine(({ items, items_file_id }) => items === undefined || items_file_id === undefined, {
      path: ['items_file_id'],
      error: 'Not together with items.',
    })
    .refine(({ items, items_file_id }) => items !== undefined || items_file_id !== undefined, {
      path: ['items'],
      error: 'Either items or items_file_id is required.',
    })
    .openapi(`${capitalised(kind)}BatchRequest`)

/** One member for each kind: the compiler asks for a new one here. */
const requests = {
  summarize: requestOf('summarize', kinds.summarize),
  embed: requestOf('embed', kinds.embed),
  classify: requestOf('classify', kinds.classify),
  report: requestOf('report', kinds.report),
  transcribe: requestOf('transcribe', kinds.transcribe),
} satisfies Record<KindName, z.ZodType>

export const BatchRequest = z
  .discriminatedUnion('kind', [
    requests.summarize,
    requests.embed,
    requests.classify,
    requests.report,
    requests.transcribe,
  ])
  .openapi('BatchRequest', {
    description: 'Exactly one of `items` and `items_file_id`.',
    example: {
      kind: 'embed',
      items: [
        { external_reference: 'article-1', input: { texts: ['All human beings are born free.'] } },
        { external_reference: 'article-3', input: { texts: ['Everyone has the right to life.'] } },
      ],
    },
  })
export type BatchRequest = z.infer<typeof BatchRequest>

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

export const BatchQuery = z.strictObject({
  ...pageQuery,
  status: z.enum(batchStatuses).optional(),
  kind: z.enum(kindNames).optional(),
  created_after: z.iso.datetime({ offset: true }).optional().openapi({ format: 'date-time' }),
  created_before: z.iso.datetime({ offset: true }).optional().openapi({ format: 'date-time' }),
})
export type BatchQuery = z.infer<typeof BatchQuery>

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

export const BatchItemQuery = z.strictObject({ ...pageQuery, status: z.enum(itemStatuses).optional() })

export const BatchChunk = z
  .object({
    index: z.int(),
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
    line: z.int().openapi({ description: 'Line of the file, or place among inline items, from 1.' }),
    external_reference: z
      .string()
      .nullable()
      .openapi({ description: 'Null where the line has none of the right form.' }),
    class: ItemClass,
    detail: z.string(),
  })
  .openapi('BatchLineError')

const lineErrors = {
  errors: z
    .array(BatchLineError)
    .openapi({ description: 'What is no item: the first hundred; `error_count` counts all.' }),
  error_count: z.int(),
}

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
    ...lineErrors,
    error_classes: z
      .record(z.string(), z.int())
      .openapi({ description: 'How many items failed of each class.', example: { missing_result: 2 } }),
    duration_ms: z
      .int()
      .nullable()
      .openapi({ format: 'int64', description: 'From acceptance to the end; null until then.' }),
    model_versions: z.array(z.string()).openapi({ description: 'As the provider named them.' }),
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
      description: 'Of an item that succeeded; null once its content has been deleted.',
    }),
    error: z.union([BatchItemError, z.null()]).optional().openapi({
      description: 'Of any other item; null for one that was cancelled.',
    }),
    usage: z.union([Usage, z.null()]),
  })
  .openapi('BatchResultLine')
export type BatchResultLine = z.infer<typeof BatchResultLine>

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

export const RerunRequest = z
  .strictObject({
    mode: z.enum(['incomplete_only', 'recompute_all']).openapi({
      description:
        '`incomplete_only` takes the items that failed, expired or were cancelled; `recompute_all` takes all, and needs another processing version or model.',
    }),
    processing_version: requestFields.processing_version.openapi({
      default: undefined,
      description: "Default: the batch's.",
    }),
    model: requestFields.model.openapi({ description: "Default: the batch's." }),
    params: z
      .record(z.string(), z.unknown())
      .optional()
      .openapi({ description: "Parameters of the batch's kind; default: the batch's." }),
  })
  .openapi('BatchRerunRequest', { example: { mode: 'incomplete_only' } })
export type RerunRequest = z.infer<typeof RerunRequest>

export const BatchEstimate = z
  .object({
    estimated_cost_usd: Usd.openapi({
      description: 'What one attempt at each item is expected to cost at most.',
    }),
    estimated_input_tokens: z.int(),
    model: z.string(),
    would_be_accepted: z.boolean(),
    reasons: z
      .array(z.string())
      .openapi({ description: 'Why not, as the last part of the problem type that a submission would get.' }),
    items: z.int().openapi({ description: 'That would run.' }),
    bytes: z.int().openapi({ format: 'int64', description: 'Of their lines.' }),
    chunks: z.array(
      z
        .object({
          index: z.int(),
          item_count: z.int(),
          bytes: z.int().openapi({ format: 'int64' }),
          confidentiality: Confidentiality,
          retention_seconds: z.int(),
        })
        .openapi('BatchEstimateChunk'),
    ),
    ...lineErrors,
  })
  .openapi('BatchEstimate')
export type BatchEstimate = z.infer<typeof BatchEstimate>
