/** Refusals: problem documents (RFC 9457) of the catalog. */
import { isProblemCode, problemCatalog } from '../../../openapi/problems.ts'
import type { Exchange } from './exchange.ts'

const PROBLEM = 'application/problem+json'

/** What is wrong with an answer that has to be a problem. */
export function problemFaults({ method, status, headers, text }: Exchange): string[] {
  if (headers.get('Content-Type') !== PROBLEM)
    return [`The type is ${headers.get('Content-Type')}, not ${PROBLEM}.`]
  if (method === 'HEAD') return []
  const body = JSON.parse(text) as Record<string, unknown>
  const [, slug = ''] = /^https?:\/\/[^/]+\/problems\/([a-z-]+)$/.exec(String(body.type)) ?? []
  if (!isProblemCode(slug))
    return [`The problem's type is ${String(body.type)}, which is not of the catalog.`]
  return [
    ...(body.status === status ? [] : [`The problem says that its status is ${String(body.status)}.`]),
    ...(problemCatalog[slug].status === status ? [] : [`The problem ${slug} has another status.`]),
    ...(body.request_id === headers.get('X-Request-Id') ? [] : ['The problem names another request ID.']),
  ]
}
