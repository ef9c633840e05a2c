/** What a provider is to the consumers: runs one input of a kind, and turns its own errors into failure classes. */
import type { KindName } from '../catalog/kind.ts'
import type { Failure } from '../ledger/judge.ts'
import type { TokenUsage } from '../ledger/usage.ts'

/** The bytes of an audio file, whole. */
export interface Audio {
  readonly bytes: Uint8Array<ArrayBuffer>
  /** As declared at upload and checked against the first bytes, such as `audio/wav`. */
  readonly contentType: string
}

export interface ProviderRequest {
  readonly kind: KindName
  readonly model: string
  /** By the kind's own schema, with the text of files in the place of their IDs. */
  readonly input: unknown
  readonly params: unknown
  /** The file of a `transcribe` input; null for every other kind. */
  readonly audio: Audio | null
  /** Number of the attempt, from 1. */
  readonly attempt: number
  readonly idempotencyKey: string
  /** W3C Trace Context, for providers that are called over HTTP. */
  readonly traceparent: string | null
  readonly signal: AbortSignal
}

/** What one attempt at the provider came to. `usage` is null where no work was done, `unknown` where nobody can tell. */
export type Attempt =
  | {
      kind: 'completed'
      output: unknown
      usage: TokenUsage
      providerRequestId: string | null
      /** The version that answered, where the provider says so. */
      modelVersion?: string | null
    }
  | ({
      kind: 'failed'
      usage: TokenUsage | 'unknown' | null
      providerRequestId?: string | null
      modelVersion?: string | null
    } & Failure)

export interface Provider {
  run(request: ProviderRequest): Promise<Attempt>
}

export const failed = (failure: Failure['class'], retryAfterMs: number | null = null): Attempt => ({
  kind: 'failed',
  class: failure,
  retryAfterMs,
  usage: null,
})
