import { beforeAll, describe, expect, it } from 'vitest'
import { type RawRequest, rawRequestOf } from './support/raw-http.ts'
import { expectNothingStored } from './support/raw-jobs.ts'
import { newTenant, type Tenant } from './support/tenant.ts'

const TYPE = 'Content-Type: application/json'
const body = '{"kind":"summarize","input":{"text":"A. B."}}'
const LENGTH = `Content-Length: ${body.length}`
const chunk = `${body.length.toString(16)}\r\n${body}\r\n`

let acme: Tenant
beforeAll(async () => {
  acme = await newTenant()
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
    const answer = await rawRequestOf(acme, sent)

    expect(answer.status).toBe(status)
    expect(answer.text.length).toBeLessThan(5000)
    await expectNothingStored(acme)
  })

  it('cannot hide another in its body', async () => {
    const hidden = 'DELETE /v1/jobs/job_x HTTP/1.1\r\nHost: a\r\n\r\n'

    const answer = await rawRequestOf(acme, {
      line: 'GET /v1/jobs',
      lines: [`Content-Length: ${hidden.length}`],
      body: hidden,
    })

    expect(answer.status).toBe(200)
    expect(answer.text.match(/HTTP\/1\.1 [0-9]{3}/g)).toHaveLength(1)
  })
})
