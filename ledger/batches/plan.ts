/** The plan of a batch: which item is in which chunk. Made by the gateway for items that came inline, by the Workflow for a file. */
import type { KindName } from '../../catalog/kind.ts'
import type { Confidentiality } from '../../catalog/models.ts'
import type { Call } from '../idempotency.ts'
import type { LineError, ManifestItem, Run } from '../schema.ts'

/** Items of a page of the manifest; the last one may hold fewer. */
export const PAGE_ITEMS = 500
/** Bytes of one line of a source at most, and so of one item. */
export const MAX_LINE_BYTES = 1024 * 1024
export const MAX_ITEMS = 50_000
/** Different pairs of confidentiality and retention in one batch: each is a chunk of its own, open while the source is read. */
export const MAX_CLASSES = 16
/** Of all answers of a chunk, as JSON: they are checked and stored in one piece, in an isolate of 128 MB. */
export const MAX_ANSWER_BYTES = 8 * 1024 * 1024
/** An item whose answer is larger is run as a job. */
export const MAX_ITEM_ANSWER_BYTES = 1024 * 1024
/** Errors that the answer to a request lists; all are counted. */
export const MAX_ERRORS = 100
/** Errors of lines that a report lists; all are counted. */
export const MAX_FAULTS = 10_000
/** Of these, in one row. */
export const FAULTS_PAGE = 500

export interface PlannedChunk {
  /** `jobs` for items that cannot travel in a provider's batch: larger than a chunk may be, or with a file as input. */
  readonly path: 'batch' | 'jobs'
  readonly items: number
  /** Of the items' lines. */
  readonly bytes: number
  /** Indexes of its items, in input order. */
  readonly runs: Run[]
  readonly confidentiality: Confidentiality
  readonly retentionSeconds: number
  readonly inputTokens: number
  readonly estimateMicroUsd: number
}

/** What is known once the whole source has been read. */
export interface PlanSummary {
  readonly items: number
  readonly chunks: PlannedChunk[]
  /** Lines that are no items: all of them, and one for the whole where nothing of it may run. */
  readonly invalidItems: number
  /** Why nothing of it may run, whatever its lines are. */
  readonly whole?: LineError
}

/** A whole plan: small enough to travel in one call, which is so for items that came inline. */
export interface BatchPlan extends PlanSummary {
  readonly manifest: ManifestItem[]
}

export type OnInvalid = 'fail' | 'skip'
export type OnDeadline = 'expire' | 'run_individually'
export type OnDuplicate = 'refuse' | 'run'

/** A batch as the gateway asks for it. Its ID is the call's: minted before, so that a repeated call is recognised. */
export interface BatchRequest {
  readonly call: Call
  readonly kind: KindName
  readonly model: string
  readonly modelVersion: string
  readonly provider: string
  readonly processingVersion: string
  readonly confidentiality: Confidentiality
  readonly retentionSeconds: number
  readonly deadlineSeconds: number
  readonly createdBy: string
  readonly metadata: Record<string, string>
  /** JSON text. */
  readonly params: string | null
  /** W3C Trace Context. */
  readonly traceparent: string
  readonly maxCostMicroUsd: number | null
  readonly onInvalid: OnInvalid
  readonly onDeadline: OnDeadline
  readonly onDuplicate: OnDuplicate
  readonly source: InlineSource | FileSource
}

/** Items that came in the request, stored as NDJSON under `ref`, with their plan. */
export interface InlineSource {
  readonly kind: 'inline'
  readonly ref: string
  readonly plan: BatchPlan
  /** Files that its items need. */
  readonly fileIds: readonly string[]
}

/** A file of the tenant, yet to be read. */
export interface FileSource {
  readonly kind: 'file'
  readonly fileId: string
}
