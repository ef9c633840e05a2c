/**
 * What the errors of Workers AI mean here: the one place that knows. The binding throws, and the message begins with the platform's
 * own code ("3040: Capacity temporarily exceeded, please try again."); over some ways the error's name stands before it.
 */
import type { FailureClass } from '../../../openapi/job-words.ts'
import { type Attempt, failed } from '../../provider.ts'

const byCode: Record<string, FailureClass> = {
  /** HTTP's own, which some ways over the platform say in the place of a code. */
  404: 'model_not_found',
  413: 'input_too_large',
  429: 'rate_limited',
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
  /^(?:[A-Za-z]*Error: )*([0-9]{3,5}): /.exec(message)?.[1] ?? null

/** An exception without a code, or with one that is not known, is a platform that could not be reached. */
export function classOf(error: unknown): FailureClass {
  const code = error instanceof Error ? codeOf(error.message) : null
  return (code !== null && byCode[code]) || 'provider_unavailable'
}

/** The class of an item's errors, whose shape nobody has described: by their first code, where they have one that is known. */
export function classOfCode(errors: unknown): FailureClass | null {
  const first: unknown = Array.isArray(errors) ? errors[0] : errors
  if (typeof first === 'string') return byCode[codeOf(first) ?? ''] ?? null
  const code = typeof first === 'object' && first && 'code' in first ? String(first.code) : ''
  return Object.hasOwn(byCode, code) ? (byCode[code] ?? null) : null
}

export function failureOf(error: unknown): Attempt {
  const failure = classOf(error)
  return failure === 'timeout'
    ? { kind: 'failed', class: failure, retryAfterMs: null, usage: 'unknown' }
    : failed(failure)
}
