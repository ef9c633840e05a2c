/** What is wrong with an answer; nothing, as a rule. */
import { isProblemCode, problemCatalog } from '../../openapi/problems.ts'
import { CANARY } from './canary.ts'
import type { Answer, Outcome, Wire } from './request.ts'

export type Fault =
  | 'server_errors'
  | 'non_problem_errors'
  | 'hangs'
  | 'lost_answers'
  | 'echoes'
  | 'bare_answers'
  | 'unheard_of'

export interface Verdict {
  readonly fault: Fault
  readonly why: string
}

/** Statuses that the contract names. */
const statuses = new Set([
  200, 201, 202, 204, 302, 304, 400, 401, 402, 403, 404, 405, 409, 410, 411, 413, 415, 422, 429, 503,
])

export function judge(wire: Wire, outcome: Outcome): Verdict[] {
  if (outcome.kind === 'hang') return [{ fault: 'hangs', why: 'no answer in a minute' }]
  if (outcome.kind === 'closed')
    return wire.framing === 'cut'
      ? []
      : [{ fault: 'lost_answers', why: 'the connection ended without an answer' }]
  return [...faultsOf(wire, outcome.answer)]
}

function* faultsOf(wire: Wire, answer: Answer): Generator<Verdict> {
  const { status, headers, text } = answer
  if (status >= 500) yield { fault: 'server_errors', why: `${status}: ${text.slice(0, 300)}` }
  else if (!statuses.has(status)) yield { fault: 'unheard_of', why: `status ${status}` }
  if (status >= 400 && wire.method !== 'HEAD') yield* faultsOfProblem(answer)
  if (!headers['x-request-id']) yield { fault: 'bare_answers', why: 'no X-Request-Id' }
  if (wire.target.startsWith('/v1') && headers['cache-control'] !== 'no-store')
    yield { fault: 'bare_answers', why: `Cache-Control is ${headers['cache-control']}` }
}

function* faultsOfProblem({ status, headers, text }: Answer): Generator<Verdict> {
  const why = wrongWithProblem(status, headers['content-type'], text)
  if (why) yield { fault: 'non_problem_errors', why: `${why}: ${text.slice(0, 300)}` }
  if (text.includes(CANARY) && !isRequestId(text)) yield { fault: 'echoes', why: text.slice(0, 600) }
}

/** A request ID is the caller's own, and is meant to come back. */
const isRequestId = (text: string) =>
  !text
    .replaceAll(`"request_id":"${CANARY}"`, '')
    .replaceAll(`"instance":"/requests/${CANARY}"`, '')
    .includes(CANARY)

function wrongWithProblem(status: number, type: unknown, text: string): string | null {
  if (type !== 'application/problem+json') return `content type ${String(type)}`
  const body = parsed(text)
  if (body === null) return 'no JSON object'
  const slug = String(body.type).split('/problems/')[1] ?? ''
  if (!isProblemCode(slug)) return 'unknown type'
  if (problemCatalog[slug].status !== status || body.status !== status) return 'status of another problem'
  const missing = ['title', 'detail', 'instance', 'request_id'].filter(
    (name) => typeof body[name] !== 'string',
  )
  return missing.length > 0 ? `without ${missing.join(', ')}` : null
}

function parsed(text: string): Record<string, unknown> | null {
  try {
    const value: unknown = JSON.parse(text)
    return typeof value === 'object' && value !== null ? { ...value } : null
  } catch {
    return null
  }
}
