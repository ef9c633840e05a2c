import { beforeAll, describe, expect, it } from 'vitest'
import { type Answer, request } from './support/client.ts'
import { newTenant, type Tenant } from './support/tenant.ts'

let acme: Tenant
let jobId: string
let seen: string
beforeAll(async () => {
  acme = await newTenant()
  jobId = (await acme.submitted()).id
  await acme.ended(jobId)
  seen = (await acme.get(`/v1/jobs/${jobId}`)).headers.get('ETag') ?? ''
})

type Headers = Record<string, string>
const form = { 'Content-Type': 'application/x-www-form-urlencoded' }

/** Every sort of answer that there is, to a request with these headers. */
const answers: Record<string, [number, (headers: Headers) => Promise<Answer>]> = {
  'a job': [200, (headers) => acme.get(`/v1/jobs/${jobId}`, headers)],
  'a job that has not changed': [
    304,
    (headers) => acme.get(`/v1/jobs/${jobId}`, { ...headers, 'If-None-Match': seen }),
  ],
  'a job without its body': [200, (headers) => acme.client.request('HEAD', `/v1/jobs/${jobId}`, { headers })],
  'a bad request': [400, (headers) => acme.get('/v1/jobs?limit=0', headers)],
  'no credentials': [401, (headers) => request('GET', '/v1/jobs', { headers })],
  'no such job': [404, (headers) => acme.get('/v1/jobs/none', headers)],
  'no such path': [404, (headers) => request('GET', '/nowhere', { headers })],
  'another method': [405, (headers) => request('OPTIONS', '/v1/jobs', { headers })],
  'another type': [
    415,
    (headers) => acme.client.request('POST', '/v1/jobs', { headers: { ...headers, ...text }, raw: 'x' }),
  ],
  'no token': [
    401,
    (headers) =>
      request('POST', '/oauth/token', {
        headers: { ...headers, ...form },
        raw: 'grant_type=client_credentials',
      }),
  ],
  'a page': [200, (headers) => request('GET', '/problems/not-found', { headers })],
  'the reference': [200, (headers) => request('GET', '/docs', { headers })],
  'another place': [302, (headers) => request('GET', '/', { headers })],
}
const pages = ['a page', 'the reference']
const text = { 'Content-Type': 'text/plain', 'Idempotency-Key': 'text' }
const table = Object.entries(answers).map(([what, [status, ask]]) => [what, status, ask] as const)

describe('an answer of', () => {
  it.each(table)(
    '%s (%i) carries the request ID that was asked for, or a fresh one',
    async (_, status, ask) => {
      const asked = await ask({ 'X-Request-Id': 'My.request_1-' })
      const bad = await Promise.all(
        ['', 'not allowed!', 'x'.repeat(129)].map((id) => ask({ 'X-Request-Id': id })),
      )

      expect([asked.status, asked.headers.get('X-Request-Id')]).toEqual([status, 'My.request_1-'])
      for (const { headers, body } of [asked, ...bad]) {
        const id = headers.get('X-Request-Id')
        if (headers.get('Content-Type') === 'application/problem+json' && body)
          expect(body.request_id).toBe(id)
      }
      for (const { headers } of bad) expect(headers.get('X-Request-Id')).toMatch(/^[0-9a-f-]{36}$/)
    },
  )

  it.each(table)(
    '%s (%i) tells browsers to do nothing with it, and nobody to keep it unless it is a page',
    async (what, status, ask) => {
      const answer = await ask({})

      expect(answer.status).toBe(status)
      expect(Object.fromEntries(answer.headers)).toMatchObject({
        'x-content-type-options': 'nosniff',
        'referrer-policy': 'no-referrer',
        'cross-origin-resource-policy': 'same-origin',
        'content-security-policy': expect.stringMatching(/^default-src 'none'; frame-ancestors 'none'/),
        'strict-transport-security': expect.stringMatching(/^max-age=\d{8}$/),
        'cache-control': pages.includes(what) ? 'public, max-age=300' : 'no-store',
      })
    },
  )
})

describe('If-None-Match', () => {
  const ask = (header: string, path = `/v1/jobs/${jobId}`) => acme.get(path, { 'If-None-Match': header })

  it('is answered by 304 with the headers of a 200 where it names what is there', async () => {
    const whole = await acme.get(`/v1/jobs/${jobId}`)
    const strong = seen.replace('W/', '')

    for (const header of [seen, strong, `"x", ${seen}`, '*']) {
      const { status, body, headers } = await ask(header)
      expect([status, body]).toEqual([304, null])
      for (const name of ['ETag', 'Cache-Control', 'RateLimit-Policy'])
        expect(headers.get(name)).toBe(whole.headers.get(name))
      expect(headers.get('RateLimit')).toMatch(/^"requests";r=\d+;t=\d+$/)
    }
  })

  it.each(['W/"0-running"', 'nonsense', `"unfinished`, '', `w/"x"`])(
    'is passed over otherwise: %j',
    async (header) => {
      expect((await ask(header)).status).toBe(200)
    },
  )

  it('of what is not there, or is of another tenant, is answered by 404', async () => {
    const globex = await newTenant()

    for (const header of ['*', seen]) {
      expect((await ask(header, '/v1/jobs/none')).status).toBe(404)
      expect((await ask(header, '/v1/batches/none')).status).toBe(404)
      const { status, headers } = await globex.get(`/v1/jobs/${jobId}`, { 'If-None-Match': header })
      expect([status, headers.has('ETag')]).toEqual([404, false])
    }
  })
})
