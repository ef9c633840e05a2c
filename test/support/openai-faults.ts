/** What can go wrong at OpenAI, by name: each sends an answer that is wrong in one way, or none. */
import type { ServerResponse } from 'node:http'

export interface Fault {
  /** Whether the work was done, and counts, all the same. */
  readonly worksFirst: boolean
  /** `answer` is what would have been right; empty where no work was done. */
  send(response: ServerResponse, answer: string, path: string): void
}

/** After which an answer comes that is slow, well within the time of an attempt. */
const SLOW_MS = 1500
const DRIP_MS = 200

const early = (send: Fault['send']): Fault => ({ worksFirst: false, send })
const late = (send: Fault['send']): Fault => ({ worksFirst: true, send })

const json = (response: ServerResponse, status: number, body: string, headers: Record<string, string> = {}) =>
  response.writeHead(status, { 'Content-Type': 'application/json', ...headers }).end(body)

/** An error by OpenAI's envelope; the message repeats what must not get any further. */
const refusal = (status: number, code: string | null, headers: Record<string, string> = {}): Fault =>
  early((response) => {
    const error = { message: `The prompt was: PROMPT-ECHO (${code})`, type: 'api_error', param: null, code }
    json(response, status, JSON.stringify({ error }), headers)
  })

const html = (status: number) =>
  late((response) => {
    response
      .writeHead(status, { 'Content-Type': 'text/html' })
      .end('<html><h1>PROMPT-ECHO Bad Gateway</h1></html>')
  })

type Json = Record<string, never> & { data: { index: number; embedding: unknown[] }[] }
const changed = (change: (answer: Json) => unknown): Fault =>
  late((response, answer) => void json(response, 200, JSON.stringify(change(JSON.parse(answer) as Json))))

/** The content of a chat completion in the place of the right one. */
const content = (text: string, finish = 'stop', more: object = {}): Fault =>
  changed((answer) => ({
    ...answer,
    choices: [{ index: 0, finish_reason: finish, message: { role: 'assistant', content: text, ...more } }],
  }))

const vectors = (change: (vector: unknown[]) => unknown[]): Fault =>
  changed((answer) => ({
    ...answer,
    data: answer.data.map((one) => ({ ...one, embedding: change(one.embedding) })),
  }))

const repeated = (count: number) => JSON.stringify({ summary: 'word '.repeat(count) })

export const faults: Record<string, Fault> = {
  'odd-names': late((response, answer) => {
    response.setHeader('x-request-id', 'PROMPT-ECHO as a request ID '.repeat(20))
    json(
      response,
      200,
      JSON.stringify({ ...JSON.parse(answer), model: 'PROMPT-ECHO as a version '.repeat(20_000) }),
    )
  }),
  '400': refusal(400, 'invalid_value'),
  '400-context-length': refusal(400, 'context_length_exceeded'),
  '400-content-policy': refusal(400, 'content_policy_violation'),
  '401': refusal(401, 'invalid_api_key'),
  '403': refusal(403, null),
  '404': refusal(404, 'model_not_found'),
  '408': refusal(408, null),
  '413': refusal(413, null),
  '422': refusal(422, null),
  '429': refusal(429, 'rate_limit_exceeded'),
  '429-quota': refusal(429, 'insufficient_quota'),
  '429-retry-after': refusal(429, 'rate_limit_exceeded', { 'Retry-After': '1' }),
  '429-retry-after-past': refusal(429, 'rate_limit_exceeded', {
    'Retry-After': 'Sun, 06 Nov 1994 08:49:37 GMT',
  }),
  '429-retry-after-absurd': refusal(429, 'rate_limit_exceeded', { 'Retry-After': '1000000000' }),
  '429-retry-after-date': early((response) => {
    const at = new Date(Date.now() + 2000).toUTCString()
    json(response, 429, JSON.stringify({ error: { code: 'rate_limit_exceeded' } }), { 'Retry-After': at })
  }),
  '500': refusal(500, null),
  '502-html': html(502),
  '503': refusal(503, null),
  '503-overloaded': refusal(503, 'overloaded_error'),
  '504': refusal(504, null),
  '529': refusal(529, null),
  redirect: early((response) => void response.writeHead(307, { Location: '/elsewhere' }).end()),
  'empty-200': late((response) => void response.writeHead(200).end()),
  'empty-json-200': late((response) => void json(response, 200, '')),
  'html-200': html(200),
  'other-shape': late((response) => void json(response, 200, '{"object":"list","items":[]}')),
  'broken-json': late((response, answer) => void json(response, 200, answer.slice(0, -20))),
  slow: late((response, answer) => void setTimeout(() => json(response, 200, answer), SLOW_MS)),
  hangs: early(() => undefined),
  'hangs-after-work': late(() => undefined),
  'hangs-in-body': late((response, answer) => {
    response.writeHead(200, { 'Content-Type': 'application/json' }).write(answer.slice(0, 10))
  }),
  drips: late((response) => {
    response.writeHead(200, { 'Content-Type': 'application/json' })
    const timer = setInterval(() => response.write(' '), DRIP_MS)
    response.on('close', () => clearInterval(timer))
  }),
  cut: early((response) => void response.destroy()),
  'cut-in-body': late((response, answer) => {
    response.writeHead(200, { 'Content-Type': 'application/json', 'Content-Length': answer.length })
    response.write(answer.slice(0, 10), () => setTimeout(() => response.destroy(), DRIP_MS))
  }),
  'content-filter': content('', 'content_filter'),
  refusal: content('', 'stop', { refusal: 'PROMPT-ECHO' }),
  'cut-off': content('{"summary":"The be', 'length'),
  'no-json': content('Here is your summary: all is well.'),
  'other-json': content('{"text":"All is well."}'),
  'blank-summary': content('{"summary":" \\n\\u3000"}'),
  'long-summary': content(repeated(2000)),
  'wrong-label': content('{"scores":[{"label":1,"score":0.5},{"label":7,"score":0.5}]}'),
  'zero-scores': content('{"scores":[{"label":1,"score":0},{"label":2,"score":0}]}'),
  'no-citation': content('{"markdown":"# Report\\n\\nNothing is cited."}'),
  'null-in-vector': vectors(([, ...rest]) => [null, ...rest]),
  'text-in-vector': vectors(([, ...rest]) => ['NaN', ...rest]),
  'wrong-dimension': vectors((vector) => vector.slice(1)),
  'zero-vector': vectors((vector) => vector.map(() => 0)),
  'too-few-vectors': changed((answer) => ({ ...answer, data: answer.data.slice(1) })),
  'vector-twice': changed((answer) => ({
    ...answer,
    data: answer.data.map((one) => ({ ...one, index: 0 })),
  })),
}
