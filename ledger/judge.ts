/** What follows from the outcome of an attempt. Pure: outcome and history in, verdict out. */
import type { FailureClass } from '../openapi/job-words.ts'
import { failures, MAX_ATTEMPTS } from './failure.ts'

export type FailureCounts = Partial<Record<FailureClass, number>>

export interface Backoff {
  readonly baseMs: number
  readonly capMs: number
}

export interface Failure {
  readonly class: FailureClass
  /** The provider's own `Retry-After`, in milliseconds. */
  readonly retryAfterMs: number | null
}

export type Verdict = { kind: 'retry'; delayMs: number } | { kind: 'fail' }

/** Exponential with full jitter: uniform between nothing and the capped exponential, never less than the provider asked for. */
export function retryDelayMs(
  failuresSoFar: number,
  { baseMs, capMs }: Backoff,
  floorMs: number,
  random: () => number,
) {
  const ceiling = Math.min(capMs, baseMs * 2 ** (failuresSoFar - 1))
  return Math.max(Math.round(random() * ceiling), floorMs)
}

export const totalOf = (counts: FailureCounts) => Object.values(counts).reduce((sum, count) => sum + count, 0)

/**
 * Judges a failed attempt. `counts` are the failures before this one. The limits count attempts of the failure's own class, and
 * eight in all; lost leases and claims that were given back are neither.
 */
export function judge(
  failure: Failure,
  counts: FailureCounts,
  backoff: Backoff,
  random: () => number,
): Verdict {
  const ofClass = (counts[failure.class] ?? 0) + 1
  const total = totalOf(counts) + 1
  if (ofClass >= failures[failure.class].attempts || total >= MAX_ATTEMPTS) return { kind: 'fail' }
  return { kind: 'retry', delayMs: retryDelayMs(total, backoff, failure.retryAfterMs ?? 0, random) }
}

/** Whether a job that failed with this class is a dead letter: every failure that the customer cannot mend. */
export function isDeadLetter(failed: FailureClass, counts: FailureCounts): boolean {
  if (failed !== 'deadline_exceeded') return failures[failed].deadLetter
  return Object.keys(counts).every((name) => failures[name as FailureClass].retryable)
}
