/** Failures at the HTTP edge: thrown as a `Problem`, rendered in one place. */
import type { Refusal } from '../ledger/replies.ts'
import type { FieldError } from '../openapi/common.ts'
import { Problem as ProblemSchema } from '../openapi/common.ts'
import { type ProblemCode, problemCatalog, problemExampleName } from '../openapi/problems.ts'

interface Members {
  readonly detail?: string
  readonly errors?: FieldError[]
  readonly headers?: Record<string, string>
  readonly cause?: unknown
}

const ERRORS_SHOWN = 100
export const REALM = 'Bearer realm="async-ai-gateway"'

export class Problem extends Error {
  override readonly name = 'Problem'
  readonly code: ProblemCode
  readonly members: Members

  constructor(code: ProblemCode, members: Members = {}) {
    super(members.detail ?? problemCatalog[code].title, { cause: members.cause })
    this.code = code
    this.members = members
  }

  static fromRefusal({ code, detail, errors, retryAfterSeconds }: Refusal): Problem {
    if (code === 'unauthenticated') return Problem.unauthenticated('invalid_token')
    const headers = retryAfterSeconds ? { 'Retry-After': String(retryAfterSeconds) } : {}
    return new Problem(code, { detail, headers, ...(errors && { errors }) })
  }

  /** RFC 6750, section 3: without credentials the challenge carries no error code. */
  static unauthenticated(error?: 'invalid_token'): Problem {
    const challenge = error ? `${REALM}, error="${error}"` : REALM
    return new Problem('unauthenticated', { headers: { 'WWW-Authenticate': challenge } })
  }

  /** A part that we depend on cannot be reached; the cause goes to the log only. */
  static unavailable(cause: unknown): Problem {
    return new Problem('unavailable', { headers: { 'Retry-After': '5' }, cause })
  }

  /** RFC 9457. */
  toResponse(baseUrl: string, requestId: string): Response {
    const { status, title } = problemCatalog[this.code]
    const { detail = title, errors, headers } = this.members
    const body = {
      type: `${baseUrl}/problems/${this.code}`,
      title,
      status,
      detail,
      instance: `/requests/${requestId}`,
      request_id: requestId,
      ...(errors && { errors: errors.slice(0, ERRORS_SHOWN), error_count: errors.length }),
    }
    return Response.json(body, {
      status,
      headers: { ...headers, 'Content-Type': 'application/problem+json' },
    })
  }
}

type ProblemResponse = {
  description: string
  content: {
    'application/problem+json': { schema: typeof ProblemSchema; examples: Record<string, { $ref: string }> }
  }
}

/** By slug, so that the document can tell by them which problems an answer may be. */
const examplesOf = (slugs: readonly ProblemCode[]) =>
  Object.fromEntries(
    slugs.map((slug) => [slug, { $ref: `#/components/examples/${problemExampleName(slug)}` }]),
  )

const responses = new Map<string, ProblemResponse>()

/** Most routes can be refused in the same few ways, and each description takes its time at the start. */
function responseOf(slugs: readonly ProblemCode[]): ProblemResponse {
  const key = slugs.join()
  const known = responses.get(key)
  if (known) return known
  const response = {
    description: slugs.map((slug) => `${problemCatalog[slug].title} (\`${slug}\`)`).join(' '),
    content: { 'application/problem+json': { schema: ProblemSchema, examples: examplesOf(slugs) } },
  }
  responses.set(key, response)
  return response
}

/** The responses of a route that may answer with these problems, besides those that every route may answer with. */
export function problems<const C extends ProblemCode>(...codes: C[]) {
  const byStatus = Map.groupBy(codes, (code) => problemCatalog[code].status)
  const entries = Array.from(byStatus, ([status, slugs]) => [status, responseOf(slugs)])
  return Object.fromEntries(entries) as Record<(typeof problemCatalog)[C]['status'], ProblemResponse>
}
