import { describe, expect, it } from 'vitest'
import { check, type Exchange, NotAsDescribed } from './support/conformance/exchange.ts'
import { webhookFaults } from './support/conformance/webhook.ts'

const page = { data: [], has_more: false, next_cursor: null }
const problem = {
  type: 'https://api.gateway.test/problems/not-found',
  title: 'There is no such resource.',
  status: 404,
  detail: 'There is no such job.',
  instance: '/requests/r-1',
  request_id: 'r-1',
}

const general = {
  'X-Request-Id': 'r-1',
  'X-Content-Type-Options': 'nosniff',
  'Cache-Control': 'no-store',
  'RateLimit-Policy': '"requests";q=6000;w=60',
  RateLimit: '"requests";r=5999;t=60',
}
const asJson = { ...general, 'Content-Type': 'application/json' }
const asProblem = { ...general, 'Content-Type': 'application/problem+json' }

interface Made {
  readonly path?: string
  readonly status?: number
  readonly headers?: Record<string, string>
  readonly body?: unknown
}

/** A list of jobs as it is answered, but for what is given. */
const made = ({ path = '/v1/jobs', status = 200, headers = asJson, body = page }: Made): Exchange => ({
  method: 'GET',
  url: new URL(path, 'https://api.gateway.test'),
  sent: new Headers(),
  requestText: '',
  status,
  headers: new Headers(headers),
  text: typeof body === 'string' ? body : JSON.stringify(body),
})

describe('an exchange', () => {
  it.each<[string, Made]>([
    ['an answer of its schema', {}],
    ['a problem', { path: '/v1/jobs/job_x', status: 404, headers: asProblem, body: problem }],
    [
      'a problem at a path that is not described',
      { path: '/v1/x', status: 404, headers: asProblem, body: problem },
    ],
    ['what is open to everybody', { path: '/healthz', headers: {}, body: { status: 'ok' } }],
  ])('may be %s', (_, exchange) => {
    expect(() => check(made(exchange))).not.toThrow()
  })

  it.each<[string, Made, RegExp]>([
    ['a member that the document does not name', { body: { ...page, total: 0 } }, /unevaluated/],
    ['a member too few', { body: { data: [], has_more: false } }, /next_cursor/],
    ['a status that is not declared', { status: 202 }, /declares no status 202/],
    [
      'a type that is not declared',
      { headers: { ...asJson, 'Content-Type': 'text/plain' } },
      /text\/plain is not declared/,
    ],
    ['a path that is not described', { path: '/v1/x' }, /The path is not described/],
    ['a parameter that is not described', { path: '/v1/jobs?colour=red' }, /parameter colour/],
    ['a parameter out of its range', { path: '/v1/jobs?limit=101' }, /parameter limit/],
    ['no request ID', { headers: { ...asJson, 'X-Request-Id': '' } }, /X-Request-Id/],
    ['an answer to be stored', { headers: { ...asJson, 'Cache-Control': 'public' } }, /Cache-Control/],
    ['a rate that does not parse', { headers: { ...asJson, RateLimit: 'requests;r=x' } }, /RateLimit/],
    ['a time to wait in words', { headers: { ...asJson, 'Retry-After': 'soon' } }, /Retry-After/],
    ['a body that is no JSON', { body: '{' }, /not JSON/],
    [
      'a problem of another status',
      { path: '/v1/jobs/job_x', status: 403, headers: asProblem, body: { ...problem, status: 403 } },
      /not-found has another status/,
    ],
    [
      'a problem that is not of the catalog',
      { path: '/v1/jobs/job_x', status: 404, headers: asProblem, body: { ...problem, type: 'about:blank' } },
      /not of the catalog/,
    ],
    [
      'no word on who may ask',
      { status: 401, headers: asProblem, body: { ...problem, status: 401 } },
      /WWW-Authenticate is missing/,
    ],
  ])('may not have %s', (_, exchange, told) => {
    expect(() => check(made(exchange))).toThrow(NotAsDescribed)
    expect(() => check(made(exchange))).toThrow(told)
  })
})

describe('a webhook', () => {
  const event = {
    id: 'evt_1',
    object: 'event',
    type: 'ping',
    timestamp: '2026-11-30T10:00:00.000Z',
    data: { id: 'we_1', object: 'webhook_endpoint' },
  }
  const headers = {
    'content-type': 'application/json',
    'webhook-id': 'evt_1',
    'webhook-timestamp': '1796000000',
    'webhook-signature': 'v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE=',
  }
  const faultsOf = (more: object, without = '') =>
    webhookFaults({ ...headers, [without]: undefined }, JSON.stringify({ ...event, ...more }))

  it('is of its schema, with its headers', () => {
    expect(faultsOf({})).toEqual([])
  })

  it.each<[string, object, string, RegExp]>([
    ['another type', { type: 'job.unknown' }, '', /No webhook job.unknown/],
    ['a member more', { secret: 'x' }, '', /unevaluated/],
    ['no signature', {}, 'webhook-signature', /webhook-signature is missing/],
    ['another ID', { id: 'evt_2' }, '', /not the ID/],
  ])('may not have %s', (_, more, without, told) => {
    expect(faultsOf(more, without).join(' ')).toMatch(told)
  })
})
