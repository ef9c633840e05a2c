import { gzipSync } from 'node:zlib'
import { beforeAll, describe, expect, it } from 'vitest'
import { inLedger } from './support/control.ts'
import { type RawRequest, rawRequestOf } from './support/raw-http.ts'
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

    const answer = await rawRequestOf(acme, {
      ...sent,
      lines: told || !sent.body ? lines : [...lines, length],
    })

    expect([answer.status, answer.body.type]).toEqual([slug === 'invalid-request' ? 400 : 415, problem(slug)])
    expect(answer.headers.get('Content-Type')).toBe('application/problem+json')
    if (slug === 'invalid-request')
      expect(answer.body.errors).toEqual([{ pointer: '', detail: expect.any(String) }])
    expect(await stored(acme)).toEqual([])
  })

  it('and is told in which form it would be taken', async () => {
    const { headers } = await rawRequestOf(acme, { lines: [TYPE, LENGTH, 'Content-Encoding: gzip'], body })

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
    const answer = await rawRequestOf(taker, sent)

    expect([answer.status, answer.body.status]).toEqual([202, 'accepted'])
    expect(answer.text).not.toContain('evil')
    expect(answer.headers.get('Location')).toBe(`https://api.gateway.test/v1/jobs/${answer.body.id}`)
  })
})
