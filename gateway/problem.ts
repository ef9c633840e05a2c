/** Failures at the HTTP edge: thrown as a `Problem`, rendered in one place. */
import type { z } from '@hono/zod-openapi'
import type { Refusal } from '../ledger/replies.ts'
import type { FieldError } from '../openapi/common.ts'
import { Problem as ProblemSchema } from '../openapi/common.ts'
import { type ProblemCode, problemCatalog } from '../openapi/problems.ts'

interface Members {
  readonly detail?: string
  readonly errors?: FieldError[]
  readonly headers?: Record<string, string>
  readonly cause?: unknown
}

const ERRORS_SHOWN = 100

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
    const headers = retryAfterSeconds ? { 'Retry-After': String(retryAfterSeconds) } : {}
    return new Problem(code, { detail, headers, ...(errors && { errors }) })
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
  content: { 'application/problem+json': { schema: typeof ProblemSchema } }
}

/** The responses of a route that may answer with these problems, besides those that every route may answer with. */
export function problems<const C extends ProblemCode>(...codes: C[]) {
  const byStatus = Map.groupBy(codes, (code) => problemCatalog[code].status)
  const entries = Array.from(byStatus, ([status, slugs]) => [
    status,
    {
      description: slugs.map((slug) => `\`${slug}\``).join(', '),
      content: { 'application/problem+json': { schema: ProblemSchema } },
    },
  ])
  return Object.fromEntries(entries) as Record<(typeof problemCatalog)[C]['status'], ProblemResponse>
}

type Issue = z.core.$ZodIssue

/** Places and reasons of a failed parse, flat: `at` is where the parsed value stands. Our own words, never the input. */
export function fieldErrors(issues: readonly Issue[], at: (path: PropertyKey[]) => FieldError): FieldError[] {
  return issues.flatMap((issue): FieldError[] => {
    if (issue.code === 'unrecognized_keys')
      return issue.keys.map((key) => ({ ...at([...issue.path, shortened(key)]), detail: 'Unknown field.' }))
    if (issue.code === 'invalid_union') return unionErrors(issue, at)
    return [{ ...at(issue.path), detail: wording(issue) }]
  })
}

/** Of a union's branches the one that fits best speaks. */
function unionErrors(
  issue: Extract<Issue, { code: 'invalid_union' }>,
  at: (path: PropertyKey[]) => FieldError,
) {
  const best = issue.errors.toSorted((a, b) => distance(a) - distance(b) || a.length - b.length)[0]
  if (!best) return [{ ...at(issue.path), detail: 'Not one of the allowed values.' }]
  return fieldErrors(best, (path) => at([...issue.path, ...path]))
}

/** A field that is missing or unknown says that another branch was meant; wrong values, however many, say that this one was. */
const distance = (issues: readonly Issue[]) => issues.filter(isAboutShape).length

const isAboutShape = (issue: Issue) =>
  issue.code === 'unrecognized_keys' ||
  (issue.code === 'invalid_type' && issue.message.endsWith('received undefined'))

/** Where Zod's word for a type is not JSON Schema's. */
const typeNames: Readonly<Record<string, string>> = { record: 'object', int: 'integer' }

function wording(issue: Issue): string {
  if (issue.code === 'invalid_type')
    return isAboutShape(issue)
      ? 'Required.'
      : `Must be of type ${typeNames[issue.expected] ?? issue.expected}.`
  if (issue.code === 'invalid_value') return `Must be one of: ${issue.values.map(String).join(', ')}.`
  if (issue.code === 'too_big') return `Must be at most ${measure(issue.maximum, issue.origin)}.`
  if (issue.code === 'too_small') return `Must be at least ${measure(issue.minimum, issue.origin)}.`
  if (issue.code === 'invalid_format' && issue.format === 'datetime')
    return 'Must be a time with its zone (RFC 3339), such as 2026-11-30T10:00:00Z.'
  if (issue.code === 'invalid_key') return `A name: ${issue.issues.map(wording).join(' ')}`
  // Zod's own words about a format start like this; ours say what is wanted.
  return issue.message.startsWith('Invalid') ? 'Does not have the required format.' : issue.message
}

function measure(bound: number | bigint, origin: string): string {
  if (origin === 'string') return `${bound} ${bound === 1 ? 'character' : 'characters'} long`
  if (origin === 'array') return `${bound} ${bound === 1 ? 'item' : 'items'} long`
  return String(bound)
}

const NAME_SHOWN = 128

/** A name that is a text of its own is not echoed whole. */
export const shortened = (name: string) => (name.length > NAME_SHOWN ? `${name.slice(0, NAME_SHOWN)}…` : name)

/** RFC 6901. */
export const jsonPointer = (path: readonly PropertyKey[]) =>
  path.map((part) => `/${String(part).replaceAll('~', '~0').replaceAll('/', '~1')}`).join('')
