/** Batches, their chunks and items as they leave the ledger. */
import type { BatchStatusReason, ChunkState, ItemClass, ItemStatus } from '../../openapi/batch-states.ts'
import type { LineError, ManifestItem, Run } from '../schema.ts'
import type { BatchCounts } from './batch.ts'
import type { ChunkRow } from './chunks.ts'
import type { BatchRow } from './rows.ts'

/** What the customer is shown of a batch. The rest is the ledger's own. */
export const shownOfBatch = [
  'id',
  'kind',
  'status',
  'createdAt',
  'startedAt',
  'finishedAt',
  'deadlineAt',
  'contentExpiresAt',
  'contentDeletedAt',
  'model',
  'modelVersion',
  'provider',
  'processingVersion',
  'confidentiality',
  'retentionSeconds',
  'createdBy',
  'parentBatchId',
  'itemsFileId',
  'invalidItems',
  'duplicateItems',
  'unaffordable',
  'version',
  'metadata',
] as const satisfies (keyof BatchRow)[]

/** What the chunks of a batch have cost together, in tokens and integer micro-USD. */
export interface BatchUsage {
  readonly inputTokens: number
  readonly outputTokens: number
  readonly costMicroUsd: number
}

export interface BatchSnapshot extends Pick<BatchRow, (typeof shownOfBatch)[number]> {
  readonly statusReason: BatchStatusReason | null
  readonly counts: BatchCounts
  /** Null until anything was used. */
  readonly usage: BatchUsage | null
}

/** What tells one state of a batch from another. Counts and usage are sums over its chunks, so the version of its row is not enough. */
export const batchTag = ({ version, statusReason, counts, usage }: BatchSnapshot) =>
  [version, statusReason ?? 'none', ...Object.values(counts), ...Object.values(usage ?? {})].join('-')

export interface AcceptedBatch {
  readonly batch: BatchSnapshot
  readonly replayed: boolean
}

export interface BatchesPage {
  readonly batches: BatchSnapshot[]
  readonly nextAfter: string | null
}

/** Tokens in and out of one item; null where the provider counts none. */
export type ItemUsage = readonly [inputTokens: number, outputTokens: number] | null

export interface ItemRow {
  readonly reference: string
  readonly index: number
  readonly status: ItemStatus
  readonly chunk: number
  /** Null unless it failed or expired. */
  readonly errorClass: ItemClass | null
  readonly usage: ItemUsage
}

export interface ItemsPage {
  readonly batch: BatchSnapshot
  readonly items: ItemRow[]
  /** The last index shown, when there are more behind it. */
  readonly nextAfter: number | null
}

export const shownOfChunk = [
  'chunk',
  'state',
  'path',
  'items',
  'bytes',
  'confidentiality',
  'retentionSeconds',
  'deleteAfter',
  'contentDeletedAt',
  'providerRequestId',
  'submittedAt',
  'collectedAt',
] as const satisfies (keyof ChunkRow)[]

export type ChunkSnapshot = Pick<ChunkRow, (typeof shownOfChunk)[number]>

const only = <K extends keyof ChunkRow>(row: ChunkRow, names: readonly K[]) =>
  Object.fromEntries(names.map((name) => [name, row[name]])) as Pick<ChunkRow, K>

export const chunkSnapshot = (row: ChunkRow): ChunkSnapshot => only(row, shownOfChunk)

export interface ManifestPage {
  readonly batch: BatchSnapshot
  readonly chunks: ChunkSnapshot[]
  readonly items: (ManifestItem & { readonly index: number })[]
  readonly nextAfter: number | null
}

/** What a report is made of. */
export interface ReportMaterial {
  readonly batch: BatchSnapshot
  /** Of the batch's own row: what the chunks have to add up to. */
  readonly items: number
  readonly chunks: ReportChunk[]
  /** How many items failed of each class; those that expired are not among them. */
  readonly errorClasses: Partial<Record<ItemClass, number>>
  /** By line; the first ten thousand. */
  readonly lineErrors: LineError[]
}

const shownInReport = [
  'chunk',
  'state',
  'path',
  'items',
  'succeeded',
  'failed',
  'cancelled',
  'expired',
  'findings',
  'statuses',
  'errors',
  'modelVersion',
  'submittedAt',
  'collectedAt',
] as const satisfies (keyof ChunkRow)[]

export type ReportChunk = Pick<ChunkRow, (typeof shownInReport)[number]>
export const reportChunk = (row: ChunkRow): ReportChunk => only(row, shownInReport)

/** Where the results of a batch lie. */
export interface ResultParts {
  readonly batch: BatchSnapshot
  readonly parts: ResultPart[]
}

export interface ResultPart {
  readonly chunk: number
  readonly state: ChunkState
  /** Items that are not pending any more. */
  readonly ended: number
  /** Indexes of its items. */
  readonly runs: Run[]
  /** NDJSON in R2, a line for each item in input order; null while there is none, and where there never will be. */
  readonly outputRef: string | null
  readonly contentDeleted: boolean
}

export interface CancelledBatch {
  readonly batch: BatchSnapshot
  /** Items that were pending, and are cancelled now. */
  readonly stopped: number
  readonly alreadyFinished: number
  /** What the batch has cost in all, with what was out at its estimate: it will not grow. */
  readonly chargedMicroUsd: number
}
