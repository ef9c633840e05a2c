/**
 * What OpenAI's errors mean here: the one place that knows. By the error's code first, since several share a status, then by the
 * status. No message of the provider's goes any further: it can repeat the prompt.
 */
import { APIConnectionError, APIError } from 'openai'
import type { FailureClass } from '../../../openapi/job-words.ts'
import type { Attempt } from '../../provider.ts'
import { retryAfterMs } from '../retry-after.ts'

/** A connection that broke off within an answer. */
export class LostConnection extends Error {
  override readonly name = 'LostConnection'
}

const byCode: Record<string, FailureClass> = {
  context_length_exceeded: 'input_too_large',
  string_above_max_length: 'input_too_large',
  array_above_max_length: 'input_too_large',
  max_tokens_exceeded: 'input_too_large',
  request_too_large: 'input_too_large',
  content_filter: 'content_filtered',
  content_policy_violation: 'content_filtered',
  moderation_blocked: 'content_filtered',
  insufficient_quota: 'permission_denied',
  billing_hard_limit_reached: 'permission_denied',
  billing_not_active: 'permission_denied',
  account_deactivated: 'permission_denied',
  invalid_api_key: 'permission_denied',
  unsupported_country_region_territory: 'permission_denied',
  model_not_found: 'model_not_found',
  rate_limit_exceeded: 'rate_limited',
  overloaded: 'provider_overloaded',
  overloaded_error: 'provider_overloaded',
  server_overloaded: 'provider_overloaded',
  engine_overloaded: 'provider_overloaded',
  slow_down: 'provider_overloaded',
  /** Of a batch: more tokens than may wait at once; as many batches as there may be. */
  token_limit_exceeded: 'rate_limited',
  batch_limit_exceeded: 'rate_limited',
  /** Of an item of a batch: the provider's own time was up, before it ran or while it did. */
  batch_expired: 'timeout',
  request_timeout: 'timeout',
  batch_cancelled: 'provider_unavailable',
}

const byStatus: Record<number, FailureClass> = {
  400: 'invalid_input',
  401: 'permission_denied',
  402: 'permission_denied',
  403: 'permission_denied',
  404: 'model_not_found',
  405: 'model_not_found',
  408: 'timeout',
  413: 'input_too_large',
  415: 'invalid_input',
  422: 'invalid_input',
  429: 'rate_limited',
  /** The platform's own, in the place of a connection that took too long. */
  524: 'timeout',
  529: 'provider_overloaded',
}

export interface Refusal {
  readonly status: number
  readonly code?: string | null | undefined
  readonly type?: string | null | undefined
  readonly message?: string | undefined
}

/** Redirects are not followed, so one is a provider that is not where it should be, like every status without a row. */
export function classOf({ status, code, type, message = '' }: Refusal): FailureClass {
  const known = classOfCode(code) ?? classOfCode(type)
  if (known) return known
  if (status === 503 && /overloaded/i.test(message)) return 'provider_overloaded'
  return byStatus[status] ?? 'provider_unavailable'
}

/** Undefined for a code that says nothing without its status. */
export const classOfCode = (code: unknown): FailureClass | undefined =>
  typeof code === 'string' && Object.hasOwn(byCode, code) ? byCode[code] : undefined

/** After these nobody knows whether the work was done, and paid for. */
const unknownOutcome: ReadonlySet<FailureClass> = new Set(['timeout'])

/** The failed attempt that an exception of the client stands for; null for one that is not the provider's. */
export function failureOf(error: unknown, now: number): Attempt | null {
  if (error instanceof APIConnectionError)
    return { kind: 'failed', class: 'provider_unavailable', retryAfterMs: null, usage: null }
  if (error instanceof LostConnection)
    return { kind: 'failed', class: 'provider_unavailable', retryAfterMs: null, usage: 'unknown' }
  if (!(error instanceof APIError) || error.status === undefined) return null
  const failure = classOf(error as Refusal)
  return {
    kind: 'failed',
    class: failure,
    retryAfterMs: error.headers ? retryAfterMs(error.headers, now) : null,
    usage: unknownOutcome.has(failure) ? 'unknown' : null,
    providerRequestId: error.requestID ?? null,
  }
}
