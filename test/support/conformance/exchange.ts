/** One request and what was answered to it, held against the documents. */
import { answerFaults } from './answers.ts'
import { find } from './documents.ts'
import { generalFaults } from './headers.ts'
import { problemFaults } from './problems.ts'
import { requestFaults } from './requests.ts'

export interface Exchange {
  readonly method: string
  readonly url: URL
  /** As they were sent. */
  readonly sent: Headers
  /** Null where there was none, or bytes that are no text. */
  readonly requestText: string | null
  readonly status: number
  readonly headers: Headers
  readonly text: string
}

export class NotAsDescribed extends Error {
  override readonly name = 'NotAsDescribed'
}

/** What is served to everybody, beside the described API. */
const open =
  /^\/(|healthz|docs|docs\/guides\/[a-z-]+(\.ts)?|docs\/style\.css|problems|openapi\.json|ops\/openapi\.json|oauth\/token|\.well-known\/[a-z-]+(\.json)?|problems\/[a-z-]+|[a-z.-]+\.js)$/

/** Throws if anything of the exchange is not as the documents say. */
export function check(exchange: Exchange): void {
  const faults = faultsOf(exchange)
  if (faults.length === 0) return
  const { method, url, status, text } = exchange
  const told = [`${method} ${url.pathname}${url.search} answered ${status}, and that is not as described:`]
  throw new NotAsDescribed(
    [...told, ...faults.map((fault) => `  - ${fault}`), text.slice(0, 2000)].join('\n'),
  )
}

function faultsOf(exchange: Exchange): string[] {
  const { method, url } = exchange
  const { described, path } = find(method, url.pathname)
  if (described)
    return [
      ...generalFaults(exchange),
      ...answerFaults(exchange, described.response),
      ...requestFaults(exchange, described.request),
    ]
  if (open.test(url.pathname)) return []
  const status = path ? 405 : 404
  const wrong = exchange.status === status ? [] : [`${path ? 'The method' : 'The path'} is not described.`]
  return [...wrong, ...generalFaults(exchange), ...problemFaults(exchange)]
}
