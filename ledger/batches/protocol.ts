/**
 * What the Workflow of a batch and the ledger say to each other. Every call names the batch and the number of the instance: what an
 * instance says that was replaced is refused, and it ends. Every call may come twice.
 */
import type { KindName } from '../../catalog/kind.ts'
import type { Confidentiality } from '../../catalog/models.ts'
import type { ItemClass, ItemStatus } from '../../openapi/batch-states.ts'
import type { LeasedFile } from '../file-inputs.ts'
import type { Failure } from '../judge.ts'
import type { Findings, ManifestItem, Run } from '../schema.ts'
import type { TokenUsage } from '../usage.ts'
import type { OnInvalid } from './plan.ts'

export interface Acting {
  readonly batchId: string
  readonly instance: number
}

/** What a plan is made by. */
export interface PlanOrder {
  readonly kind: KindName
  readonly model: string
  readonly modelVersion: string
  readonly processingVersion: string
  readonly confidentiality: Confidentiality
  readonly retentionSeconds: number
  /** JSON text. */
  readonly params: string | null
  readonly onInvalid: OnInvalid
  readonly sourceRef: string
  /** Of a rerun: the lines that it takes; null for all. */
  readonly lines: Run[] | null
}

/** Lines that a rerun takes of another batch's source, to be copied into one of its own. */
export interface CopyOrder {
  readonly from: string
  readonly lines: Run[]
  readonly to: string
}

/** What is to be done now. `waitMs`: until when nothing else is, unless the Workflow is woken; null where there is something. */
export type Look =
  /** The batch has ended, or another instance acts for it. */
  | { readonly kind: 'over' }
  /** Before the plan is made. */
  | { readonly kind: 'copy'; readonly order: CopyOrder }
  | { readonly kind: 'plan'; readonly order: PlanOrder }
  | {
      readonly kind: 'work'
      readonly model: string
      /** Chunks to submit, or, where a submission began and its outcome is unknown, to reconcile. */
      readonly submit: number[]
      /** Chunks whose answer may be there. */
      readonly poll: number[]
      /** Chunks that run as jobs and have none yet. */
      readonly open: number[]
      /** Chunks whose jobs have all ended. */
      readonly gather: number[]
      /** Chunks that are to be called off at the provider, whatever comes of it. */
      readonly callOff: number[]
      readonly waitMs: number | null
    }

/** An item as the Workflow needs it to build a chunk: where its line lies, and its place in the chunk. */
export interface ChunkItem extends Pick<ManifestItem, 'line' | 'reference' | 'key' | 'at' | 'bytes'> {
  readonly position: number
  readonly index: number
}

/** A chunk as it is sent, polled or opened. */
export interface ChunkOrder {
  readonly chunk: number
  readonly epoch: number
  readonly tries: number
  readonly kind: KindName
  readonly model: string
  readonly modelVersion: string
  readonly params: string | null
  readonly confidentiality: Confidentiality
  readonly sourceRef: string
  readonly traceparent: string | null
  /** The same for the same try: a provider that knows keys does not take the chunk twice. */
  readonly key: string
  readonly providerRequestId: string | null
  readonly items: ChunkItem[]
}

export type Submission =
  | { readonly kind: 'submit'; readonly order: ChunkOrder }
  /** It began before, and nobody knows what became of it. */
  | { readonly kind: 'reconcile'; readonly order: ChunkOrder }
  /** Not now: the chunk has moved on, or its tenant has as many out as it may. */
  | { readonly kind: 'none' }

export type SubmissionOutcome =
  | { readonly kind: 'accepted'; readonly providerRequestId: string }
  | ({ readonly kind: 'failed' } & Failure)
  /** The provider says that it has never seen it: it is submitted again. */
  | { readonly kind: 'absent' }
  /** Nobody can tell: it is never sent again by itself. */
  | { readonly kind: 'unknown' }
  /** No answer came in time: whether it arrived is still to be asked. */
  | { readonly kind: 'unanswered' }

/** Names the submission that something is the outcome of. */
export interface Tried {
  readonly chunk: number
  readonly epoch: number
  readonly tries: number
}

/** An answer that has been checked item by item, and stored. Arrays and `statuses` go by place in the chunk. */
export interface ChunkAnswer extends Tried {
  readonly kind: 'answered'
  /** `s` or `f` for each item. */
  readonly statuses: string
  readonly errors: Record<number, ItemClass>
  readonly usages: (readonly [number, number] | null)[] | null
  readonly usage: TokenUsage | 'unknown'
  readonly findings: Findings
  readonly modelVersion: string | null
  /** NDJSON in R2, a line for each item. */
  readonly outputRef: string
}

export type Polled =
  | ({ readonly kind: 'pending' } & Tried)
  | ({ readonly kind: 'failed'; readonly usage: TokenUsage | 'unknown' | null } & Tried & Failure)
  | ChunkAnswer

/** One item to be run as a job. */
export interface ItemJob {
  readonly position: number
  /** JSON text, or null when it lies in R2 under `inputRef`. */
  readonly input: string | null
  readonly inputRef: string | null
  readonly inputTokens: number
  readonly fileIds: string[]
}

/** What became of an item of a chunk that ran as jobs. */
export interface ItemResult {
  readonly position: number
  readonly status: Exclude<ItemStatus, 'pending'>
  readonly errorClass: ItemClass | null
  readonly output: string | null
  readonly outputRef: string | null
  readonly usage: TokenUsage | null
  readonly modelVersion: string | null
}

export type { LeasedFile }
