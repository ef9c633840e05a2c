/** The batch side of a provider: takes a chunk, and answers for it later. */
import type { KindName } from '../catalog/kind.ts'
import type { Failure } from '../ledger/judge.ts'
import type { TokenUsage } from '../ledger/usage.ts'
import type { FailureClass } from '../openapi/job-words.ts'

export interface ChunkInput {
  /** Ours, unique for the item, so that a result of another chunk is not mistaken for one of this. 32 hex characters. */
  readonly reference: string
  /** By the kind's own schema. */
  readonly input: unknown
}

/** What every question about a chunk says. */
export interface ChunkCall {
  readonly kind: KindName
  readonly model: string
  readonly params: unknown
  /** The same for the same submission. */
  readonly key: string
  /** W3C Trace Context. */
  readonly traceparent: string | null
  readonly signal: AbortSignal
}

export interface ChunkRequest extends ChunkCall {
  readonly items: readonly ChunkInput[]
}

/** A chunk that was taken before. */
export interface TakenChunk extends ChunkCall {
  readonly requestId: string
}

/** A chunk whose answer is asked for, many times and nearly always in vain. */
export interface SubmittedChunk extends TakenChunk {
  /** Of its items, in the order in which they were sent. */
  readonly references: readonly string[]
  /**
   * What was sent, read back: for when its answer is there and not before, since that costs a read of the source, and waits until
   * there is memory for an answer. May be called again.
   */
  inputs(): Promise<readonly ChunkInput[]>
}

/** `unknown`: it may have been taken. */
export type Submitted =
  | { kind: 'accepted'; requestId: string }
  | { kind: 'unknown' }
  | ({ kind: 'failed' } & Failure)

/** One result as the provider tells it, not checked yet. Reference and index are what it says they are. */
export type ItemAnswer = { readonly reference: string | null; readonly index: number | null } & (
  | { readonly kind: 'completed'; readonly output: unknown; readonly usage: TokenUsage | null }
  | { readonly kind: 'failed'; readonly class: FailureClass; readonly usage: TokenUsage | null }
)

export type ChunkRead =
  | { kind: 'pending' }
  | {
      kind: 'done'
      answers: readonly ItemAnswer[]
      /** Of the whole chunk, where the provider counts; `unknown` where nobody can tell. */
      usage: TokenUsage | 'unknown'
      modelVersion: string | null
    }
  | ({ kind: 'failed'; usage: TokenUsage | 'unknown' | null } & Failure)

/** `later`: it can be told, only not now. */
export type Reconciled =
  | { kind: 'found'; requestId: string }
  | { kind: 'absent' }
  | { kind: 'unknowable'; later?: true }

/** Answers what can go wrong as a value; throws only what is a fault of ours, or its signal's reason. */
export interface BatchProvider {
  submit(request: ChunkRequest): Promise<Submitted>
  /** The present state, with the results once they are there. */
  read(chunk: SubmittedChunk): Promise<ChunkRead>
  /** Whether a submission under this key, whose outcome is unknown, arrived. */
  reconcile(call: ChunkCall): Promise<Reconciled>
  /** Best effort; what was done until then may cost. */
  cancel(chunk: TakenChunk): Promise<void>
  /** Its results are stored: what the provider keeps of it can go. Best effort; absent where there is nothing to delete. */
  forget?(chunk: TakenChunk): Promise<void>
}
