import { randomUUID } from 'node:crypto'
import { gzipSync } from 'node:zlib'
import { beforeAll, describe, expect, it } from 'vitest'
import { inLedger } from './support/control.ts'
import { type RawRequest, rawRequest } from './support/raw-http.ts'
import { newTenant, type Tenant } from './support/tenant.ts'

const TYPE = 'Content-Type: application/json'
const body = '{"kind":"summarize","input":{"text":"A. B."}}'
const LENGTH = `Content-Length: ${body.length}`
const chunk = `${body.length.toString(16)}\r\n${body}\r\n`

let acme: Tenant
let taker: Tenant
beforeAll(async () => {
  acme = await newTenant()
  taker = await newTenant()
})

const asTenant = ({ client }: Tenant, { lines = [], ...rest }: RawRequest) =>
  rawRequest({
    ...rest,
    lines: [`Authorization: Bearer ${client.token}`, `Idempotency-Key: ${randomUUID()}`, ...lines],
  })

const stored = ({ id }: Tenant) =>
  inLedger(
    id,
    'select id from jobs union all select id from files union all select key_hash from idempotency_keys',
  )

const problem = (slug: string) => `https://api.gateway.test/problems/${slug}`

describe('a body is refused, and nothing stored,', () => {
  it.each<[string, string, RawRequest]>([
    [
      'that ends before its length',
      'invalid-request',
      { lines: [TYPE, `Content-Length: ${body.length + 9}`], body, hangsUp: true },
    ],
    [
      'whose length ends before it',
      'invalid-request',
      { lines: [TYPE, `Content-Length: ${body.length - 1}`], body },
    ],
    [
      'that ends before its last chunk',
      'invalid-request',
      { lines: [TYPE, 'Transfer-Encoding: chunked'], body: chunk, hangsUp: true },
    ],
    [
      'that ends within a chunk',
      'invalid-request',
      { lines: [TYPE, 'Transfer-Encoding: chunked'], body: chunk.slice(0, -9), hangsUp: true },
    ],
    [
      'with a chunk of no size',
      'invalid-request',
      { lines: [TYPE, 'Transfer-Encoding: chunked'], body: `x${chunk}` },
    ],
    ['that is not there', 'invalid-request', { lines: [TYPE, 'Content-Length: 0'] }],
    ['that is not there, nor its length', 'invalid-request', { lines: [TYPE] }],
    [
      'that is compressed',
      'unsupported-media-type',
      { lines: [TYPE, 'Content-Encoding: gzip'], body: gzipSync(body) },
    ],
    ['that is called compressed', 'unsupported-media-type', { lines: [TYPE, 'content-encoding: BR'], body }],
    [
      'that is called encoded twice',
      'unsupported-media-type',
      { lines: [TYPE, 'Content-Encoding: identity', 'Content-Encoding: gzip'], body },
    ],
    ['that is compressed and does not say so', 'invalid-request', { lines: [TYPE], body: gzipSync(body) }],
    ['without a type', 'unsupported-media-type', { body }],
    ['of two types', 'unsupported-media-type', { lines: [TYPE, 'Content-Type: text/plain'], body }],
    ['of two types that are the same', 'unsupported-media-type', { lines: [TYPE, TYPE], body }],
    [
      'of a type that only begins like JSON',
      'unsupported-media-type',
      { lines: ['Content-Type: application/jsonp'], body },
    ],
    ['of text that is JSON', 'unsupported-media-type', { lines: ['Content-Type: text/json'], body }],
    ['of any type', 'unsupported-media-type', { lines: ['Content-Type: */*'], body }],
    ['of lines of JSON', 'unsupported-media-type', { lines: ['Content-Type: application/x-ndjson'], body }],
    [
      'of a form',
      'unsupported-media-type',
      { lines: ['Content-Type: multipart/form-data; boundary=x'], body },
    ],
    [
      'in UTF-16',
      'unsupported-media-type',
      { lines: [`${TYPE}; charset=utf-16`], body: Buffer.from(body, 'utf16le') },
    ],
    [
      'in UTF-16 that does not say so',
      'invalid-request',
      { lines: [TYPE], body: Buffer.from(`\uFEFF${body}`, 'utf16le') },
    ],
    [
      'a file that is compressed',
      'unsupported-media-type',
      {
        line: 'POST /v1/files',
        lines: ['Content-Type: text/plain', 'Content-Encoding: gzip'],
        body: gzipSync('A.'),
      },
    ],
    [
      'a file that is called compressed',
      'unsupported-media-type',
      { line: 'POST /v1/files', lines: ['Content-Type: audio/wav', 'Content-Encoding: gzip'], body: 'RIFF' },
    ],
  ])('%s (%s)', async (_, slug, { lines = [], ...sent }) => {
    const told = lines.some((line) => /^(content-length|transfer-encoding):/i.test(line))
    const length = `Content-Length: ${Buffer.byteLength(sent.body ?? '')}`

    const answer = await asTenant(acme, { ...sent, lines: told || !sent.body ? lines : [...lines, length] })

    expect([answer.status, answer.body.type]).toEqual([slug === 'invalid-request' ? 400 : 415, problem(slug)])
    expect(answer.headers.get('Content-Type')).toBe('application/problem+json')
    if (slug === 'invalid-request')
      expect(answer.body.errors).toEqual([{ pointer: '', detail: expect.any(String) }])
    expect(await stored(acme)).toEqual([])
  })

  it('and is told in which form it would be taken', async () => {
    const { headers } = await asTenant(acme, { lines: [TYPE, LENGTH, 'Content-Encoding: gzip'], body })

    expect(headers.get('Accept-Encoding')).toBe('identity')
  })
})

describe('a body is taken', () => {
  it.each<[string, RawRequest]>([
    [
      'of application/json, however that is spelt',
      { lines: ['Content-Type:APPLICATION/json;  Charset="utf-8"', LENGTH], body },
    ],
    ['in UTF8', { lines: [`${TYPE}; charset=utf8`, LENGTH], body }],
    ['with an encoding that is none', { lines: [TYPE, 'Content-Encoding: identity', LENGTH], body }],
    [
      'in chunks with extensions and trailers',
      {
        lines: [TYPE, 'Transfer-Encoding: chunked'],
        body: `${chunk.replace('\r', ';a=b\r')}0\r\nX-Key: a\r\n\r\n`,
      },
    ],
    ['that was asked about before', { lines: [TYPE, LENGTH, 'Expect: 100-continue'], body }],
    [
      'of a request that names another host',
      { line: 'POST http://evil.example/v1/jobs', lines: [TYPE, LENGTH], body },
    ],
    [
      'of a request that was forwarded',
      {
        lines: [
          TYPE,
          LENGTH,
          'X-Forwarded-Host: evil.example',
          'Forwarded: host=evil.example;proto=http',
          'X-Forwarded-Prefix: /evil',
        ],
        body,
      },
    ],
  ])('%s', async (_, sent) => {
    const answer = await asTenant(taker, sent)

    expect([answer.status, answer.body.status]).toEqual([202, 'accepted'])
    expect(answer.text).not.toContain('evil')
    expect(answer.headers.get('Location')).toBe(`https://api.gateway.test/v1/jobs/${answer.body.id}`)
  })
})

describe('a request', () => {
  it.each<[string, number, RawRequest]>([
    ['with two lengths', 400, { lines: [TYPE, LENGTH, 'Content-Length: 5'], body }],
    ['with a list of lengths', 400, { lines: [TYPE, `${LENGTH}, ${body.length}`], body }],
    ['with a length below zero', 400, { lines: [TYPE, 'Content-Length: -1'], body }],
    ['with a length beyond all', 400, { lines: [TYPE, `Content-Length: ${'9'.repeat(40)}`], body }],
    [
      'with a transfer encoding that is none',
      400,
      { lines: [TYPE, 'Transfer-Encoding: xchunked'], body: `${chunk}0\r\n\r\n` },
    ],
    ['with a space before a colon', 400, { lines: [TYPE, LENGTH, 'X-A : b'], body }],
    ['with a header over two lines', 400, { lines: [TYPE, LENGTH, 'X-A: b\r\n c'], body }],
    ['with a NUL in a header', 400, { lines: [TYPE, LENGTH, 'X-A: b\u0000c'], body }],
    ['with a method that is none', 501, { line: 'EVIL /v1/jobs' }],
    ['to trace', 405, { line: 'TRACE /v1/jobs' }],
    ['for a path with two slashes', 404, { line: 'GET //v1/jobs' }],
    ['for a path with dots in escapes', 404, { line: 'GET /v1/%2e%2e/v1/jobs' }],
    ['for a path with a backslash', 404, { line: 'GET /v1\\jobs' }],
    ['for a path with a slash at its end', 404, { line: 'GET /v1/jobs/' }],
    ['for a path in capitals', 404, { line: 'GET /V1/jobs' }],
    ['for a path of 20,000 characters', 404, { line: `GET /v1/jobs/${'x'.repeat(20_000)}` }],
    ['with a query of 20,000 characters', 400, { line: `GET /v1/jobs?cursor=${'x'.repeat(20_000)}` }],
    ['with 6,000 parameters', 400, { line: `GET /v1/jobs?${'a&'.repeat(6000)}` }],
    [
      'with a name of what every object has for a parameter',
      400,
      { line: 'GET /v1/jobs?__proto__=a&constructor=b' },
    ],
    ['with bytes that are none in a parameter', 400, { line: 'GET /v1/jobs?cursor=%ZZ%FF' }],
    [
      'with the token under another name',
      401,
      { line: 'GET /v1/webhook_endpoints', lines: ['Authorization: ', 'X-Authorization: Bearer a.b.c'] },
    ],
    [
      'with 1,000 headers',
      200,
      { line: 'GET /v1/jobs', lines: Array.from({ length: 1000 }, (_, at) => `X-H${at}: v`) },
    ],
    [
      'with a header of 60,000 characters',
      200,
      { line: 'GET /v1/jobs', lines: [`X-A: ${'a'.repeat(60_000)}`] },
    ],
    [
      'with another method in its headers',
      200,
      { line: 'GET /v1/jobs', lines: ['X-HTTP-Method-Override: DELETE', 'X-Original-URL: /ops/v1/tenants'] },
    ],
    [
      'that would be a WebSocket',
      200,
      {
        line: 'GET /v1/jobs',
        lines: [
          'Upgrade: websocket',
          'Sec-WebSocket-Key: x3JJHMbDL1EzLkh9GBhXDw==',
          'Sec-WebSocket-Version: 13',
        ],
      },
    ],
    [
      'for another type',
      200,
      { line: 'GET /v1/jobs', lines: ['Accept: application/xml', 'Range: bytes=0-1'] },
    ],
  ])('%s is answered with %i', async (_, status, sent) => {
    const answer = await asTenant(acme, sent)

    expect(answer.status).toBe(status)
    expect(answer.text.length).toBeLessThan(5000)
    expect(await stored(acme)).toEqual([])
  })

  it('cannot hide another in its body', async () => {
    const hidden = 'DELETE /v1/jobs/job_x HTTP/1.1\r\nHost: a\r\n\r\n'

    const answer = await asTenant(acme, {
      line: 'GET /v1/jobs',
      lines: [`Content-Length: ${hidden.length}`],
      body: hidden,
    })

    expect(answer.status).toBe(200)
    expect(answer.text.match(/HTTP\/1\.1 [0-9]{3}/g)).toHaveLength(1)
  })
})

describe('the X-Request-Id header', () => {
  it.each(['a', 'A-z_0.9', 'a'.repeat(128)])('comes back: %s', async (id) => {
    const { status, headers, body } = await asTenant(acme, {
      line: 'GET /v1/jobs/none',
      lines: [`x-request-id: ${id}`],
    })

    expect([status, headers.get('X-Request-Id')]).toEqual([404, id])
    expect(body).toMatchObject({ request_id: id, instance: `/requests/${id}` })
  })

  it.each<[string, string[]]>([
    ['is empty', ['']],
    ['has 129 characters', ['a'.repeat(129)]],
    ['has a space', ['evil id']],
    ['has a tab', ['evil\tid']],
    ['has a comma', ['evil,id']],
    ['is in quotes', ['"evil"']],
    ['is markup', ['<script>evil</script>']],
    ['is no ASCII', ['évil']],
    ['is an emoji', ['💥evil']],
    ['is in escapes', ['evil%0d%0aX-A:b']],
    ['comes twice', ['evil', 'evil']],
    ['comes 500 times', Array(500).fill('evil')],
  ])('is replaced when it %s', async (_, values) => {
    const lines = values.map((value) => `X-Request-Id: ${value}`)

    const { status, headers, body, text } = await asTenant(acme, { line: 'GET /v1/jobs/none', lines })

    const id = headers.get('X-Request-Id')
    expect([status, id]).toEqual([404, expect.stringMatching(/^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/)])
    expect(body.request_id).toBe(id)
    expect(text).not.toContain('vil')
  })
})
