/** A gateway whose answers are written beforehand, with a clock that only pauses move. */
import { Gateway, type GatewayOptions } from './gateway.ts'

export interface SentRequest {
  readonly method: string
  /** With the query. */
  readonly path: string
  readonly headers: Headers
  readonly text: string
}

/** An answer, or what is thrown in its place; a function makes it, for an answer can be read only once. */
type Scripted = (request: SentRequest) => Response | Promise<Response>

const BASE_URL = 'https://api.gateway.test'

export const json =
  (status: number, body: unknown, headers: Record<string, string> = {}) =>
  () =>
    Response.json(body, { status, headers })

export const problem = (status: number, slug: string, headers: Record<string, string> = {}) =>
  json(
    status,
    {
      type: `${BASE_URL}/problems/${slug}`,
      title: 'A title.',
      status,
      detail: 'A detail.',
      request_id: 'req_1',
    },
    { 'Content-Type': 'application/problem+json', ...headers },
  )

export const lost: Scripted = () => {
  throw new TypeError('fetch failed')
}

/** Answers in the order given; a request beyond them is an error of the test. */
export function scripted(answers: readonly Scripted[], options: object = {}) {
  const sent: SentRequest[] = []
  const pauses: number[] = []
  const clock = { now: 1_796_000_000_000 }
  const left = [...answers]
  const gateway = new Gateway({
    ...(!('clientId' in options) && { token: () => 'token-1' }),
    now: () => clock.now,
    random: () => 0.5,
    sleep: async (ms: number) => {
      pauses.push(ms)
      clock.now += ms
    },
    ...options,
    baseUrl: BASE_URL,
    fetch: async (input: RequestInfo | URL, init?: RequestInit) => {
      const request = new Request(input, init)
      const { pathname, search } = new URL(request.url)
      const text = await request.text()
      sent.push({ method: request.method, path: pathname + search, headers: request.headers, text })
      const answer = left.shift()
      if (!answer) throw new Error(`No answer is written for ${request.method} ${pathname}.`)
      return answer(sent[sent.length - 1] as SentRequest)
    },
  } as GatewayOptions)
  return { gateway, sent, pauses, clock }
}

export const job = (more: object = {}) => ({
  id: 'job_1',
  object: 'job',
  kind: 'summarize',
  terminal: false,
  status: 'accepted',
  ...more,
})
