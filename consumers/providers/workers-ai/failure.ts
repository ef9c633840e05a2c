/**
 * What the errors of Workers AI mean here: the one place that knows. The binding throws, and the message begins with the platform's
 * own code ("3040: Capacity temporarily exceeded, please try again."); over some ways the error's name stands before it.
 */
import type { FailureClass } from '../../../openapi/jobs.ts'
import { type Attempt, failed } from '../../provider.ts'

const byCode: Record<string, FailureClass> = {
  /** Incomplete request. */
  3003: 'invalid_input',
  3006: 'input_too_large',
  /** Timed out; aborted. */
  3007: 'timeout',
  3008: 'timeout',
  /** The account is blocked. */
  3023: 'permission_denied',
  /** The account's allocation for the day is used up. */
  3036: 'rate_limited',
  /** Files of a fine-tuned model are missing. */
  3039: 'model_not_found',
  /** No data centre has room. */
  3040: 'provider_overloaded',
  /** A private model. */
  3041: 'permission_denied',
  3042: 'model_not_found',
  /** Input of the wrong type; not by the model's schema. */
  5004: 'invalid_input',
  5006: 'invalid_input',
  /** The model takes no LoRA. */
  5005: 'model_not_found',
  5007: 'model_not_found',
  /** The model's terms were not agreed to. */
  5016: 'permission_denied',
  /** A private model. */
  5018: 'permission_denied',
  /** Our way of calling is no longer served. */
  5019: 'permission_denied',
  /** Input and output together are more than the model's context. */
  5021: 'input_too_large',
}

/** The code within the message of an exception; null where there is none. */
export const codeOf = (message: string): string | null =>
  /^(?:[A-Za-z]*Error: )*([0-9]{4,5}): /.exec(message)?.[1] ?? null

/** An exception without a code, or with one that is not known, is a platform that could not be reached. */
export function failureOf(error: unknown): Attempt {
  const code = error instanceof Error ? codeOf(error.message) : null
  const failure = (code !== null && byCode[code]) || 'provider_unavailable'
  return failure === 'timeout'
    ? { kind: 'failed', class: failure, retryAfterMs: null, usage: 'unknown' }
    : failed(failure)
}
