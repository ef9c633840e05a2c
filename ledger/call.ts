/** Calling a ledger from another Worker or from the gateway. */
import type { TenantLedger } from './tenant-ledger.ts'

export type LedgerStub = DurableObjectStub<TenantLedger>

interface PlatformError {
  readonly retryable?: boolean
  readonly overloaded?: boolean
}

/** Whether the platform, not our own code, failed the call: it may work a moment later. */
export function isPassing(error: unknown): boolean {
  const { retryable, overloaded } = error as PlatformError
  return retryable === true || overloaded === true
}

/**
 * Every deploy resets objects in flight. A stub is of no use after an exception, so the second try gets a fresh one; calls carry
 * their own IDs, so the ledger recognises a repetition. An overloaded object is left alone.
 */
export async function withFreshStub<S, T>(stub: () => S, call: (object: S) => Promise<T>): Promise<T> {
  try {
    return await call(stub())
  } catch (error) {
    const { retryable, overloaded } = error as PlatformError
    if (overloaded || !retryable) throw error
    return await call(stub())
  }
}
