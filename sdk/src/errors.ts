/** What can go wrong with a call. Whatever the SDK throws itself is a `GatewayError`; an abort throws the signal's own reason. */
import type { ProblemSlug } from './problem-slugs.ts'

export class GatewayError extends Error {
  override readonly name: string = 'GatewayError'
}

/** One wrong place in a request. */
export interface FieldError {
  readonly pointer?: string
  readonly parameter?: string
  readonly detail: string
}

/** A problem document (RFC 9457), as the gateway answers refusals. */
export interface Problem {
  readonly type: string
  readonly title: string
  readonly status: number
  readonly detail: string
  readonly instance?: string
  readonly request_id?: string
  readonly errors?: readonly FieldError[]
  readonly error_count?: number
  readonly [member: string]: unknown
}

/** The gateway, or something in front of it, answered with an error; no retry has helped, or none was worth it. */
export class ProblemError extends GatewayError {
  override readonly name = 'ProblemError'
  readonly status: number
  readonly problem: Problem
  /** The last part of the problem's type; null for an answer that is no problem document, such as that of a proxy. */
  readonly slug: ProblemSlug | (string & {}) | null
  readonly requestId: string | null
  /** In seconds; null where the answer asks for no wait. */
  readonly retryAfter: number | null
  readonly headers: Headers

  constructor(response: Response, body: unknown, retryAfter: number | null) {
    const problem = problemOf(response, body)
    super(`${response.status} ${slugOf(body) ?? problem.title}: ${problem.detail}`)
    this.status = response.status
    this.problem = problem
    this.slug = slugOf(body)
    this.requestId = problem.request_id ?? response.headers.get('X-Request-Id')
    this.retryAfter = retryAfter
    this.headers = response.headers
  }
}

/** No answer, in spite of retries; `cause` is what the last attempt ended with. */
export class ConnectionError extends GatewayError {
  override readonly name = 'ConnectionError'
}

/** The token endpoint refused the client (RFC 6749, section 5.2). */
export class TokenError extends GatewayError {
  override readonly name = 'TokenError'
  /** Such as `invalid_client`; null where the answer names none. */
  readonly code: string | null
  readonly status: number

  constructor(status: number, code: string | null, description: string) {
    super(`No access token (${status} ${code ?? 'without a code'}): ${description}`)
    this.code = code
    this.status = status
  }
}

interface State {
  readonly id: string
  readonly status: string
}

/** A job or batch has not ended within the time that was to be waited. It goes on nevertheless. */
export class WaitTimeoutError<T extends State = State> extends GatewayError {
  override readonly name = 'WaitTimeoutError'
  /** What it was like when it was looked at last; null if it never was. */
  readonly last: T | null

  constructor(timeoutMs: number, last: T | null) {
    const state = last && `${last.id} is ${last.status}.`
    super(`Not ended within ${timeoutMs} ms. ${state ?? 'Its state is not known.'}`)
    this.last = last
  }
}

/** A stream of results that is broken off or holds what is no result. What came before is good. */
export class StreamError extends GatewayError {
  override readonly name = 'StreamError'
}

const isRecord = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

const isProblem = (body: unknown): body is Problem =>
  isRecord(body) && typeof body.type === 'string' && typeof body.title === 'string'

export const slugOf = (body: unknown): string | null =>
  isProblem(body) ? (/\/problems\/([a-z0-9-]+)$/.exec(body.type)?.[1] ?? null) : null

function problemOf({ status, statusText }: Response, body: unknown): Problem {
  if (isProblem(body)) return { ...body, detail: String(body.detail ?? '') }
  const detail = 'The answer is no problem document, so it is likely not from the gateway itself.'
  return { type: 'about:blank', title: statusText || `HTTP ${status}`, status, detail }
}
