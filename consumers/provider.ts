/** What a provider is to the consumers: runs one input of a kind, and turns its own errors into failure classes. */
import type { KindName } from '../catalog/kind.ts'
import type { Failure } from '../ledger/judge.ts'
import type { TokenUsage } from '../ledger/usage.ts'

export interface ProviderRequest {
  readonly kind: KindName
  readonly model: string
  /** Parsed by the kind's own schemas. */
  readonly input: unknown
  readonly params: unknown
  /** Number of the attempt, from 1. */
  readonly attempt: number
  readonly idempotencyKey: string
  readonly signal: AbortSignal
}

/** What one attempt at the provider came to. `usage` is null where no work was done. */
export type Attempt =
  | { kind: 'completed'; output: unknown; usage: TokenUsage; providerRequestId: string | null }
  | ({ kind: 'failed'; usage: TokenUsage | null } & Failure)

export interface Provider {
  run(request: ProviderRequest): Promise<Attempt>
}

export const failed = (failure: Failure['class'], retryAfterMs: number | null = null): Attempt => ({
  kind: 'failed',
  class: failure,
  retryAfterMs,
  usage: null,
})
