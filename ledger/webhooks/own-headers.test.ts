import { describe, expect, it } from 'vitest'
import { headerFaults } from './own-headers.ts'

const namesOf = (headers: Record<string, string>) => headerFaults(headers).map(({ name }) => name)
const numbered = (count: number) =>
  Object.fromEntries(Array.from({ length: count }, (_, at) => [`X-Own-${at}`, 'v']))

describe('a header of the customer’s own', () => {
  it.each([
    'Authorization',
    'X-API-Key',
    'x',
    'X-Tenant',
    'X-Webhook-Source',
    'Accept-Language',
    'Cache-Control',
    'X-Contented',
    'Hostname',
    'X-Cf-Team',
    "!#$%&'*+-.^_`|~09az",
    'n'.repeat(64),
  ])('may be called %s', (name) => {
    expect(namesOf({ [name]: 'value' })).toEqual([])
  })

  it.each([
    ...['webhook-id', 'Webhook-Timestamp', 'WEBHOOK-SIGNATURE', 'webhook-anything', 'svix-id'],
    ...['Content-Type', 'content-length', 'Content-Encoding', 'Content-MD5'],
    ...['Host', 'Connection', 'Keep-Alive', 'Transfer-Encoding', 'TE', 'Trailer', 'Upgrade', 'Expect'],
    ...['Proxy-Authorization', 'proxy-connection', 'User-Agent', 'Accept-Encoding', 'HTTP2-Settings'],
    ...['traceparent', 'tracestate', 'Cookie', 'Set-Cookie', 'Date', 'Via', 'Forwarded'],
    ...['X-Forwarded-For', 'x-forwarded-host', 'X-Real-IP', 'True-Client-IP', 'CF-Connecting-IP', 'CDN-Loop'],
    ...['Sec-Fetch-Mode', 'Access-Control-Request-Method', 'Origin', 'Referer'],
    ...['X-HTTP-Method', 'X-HTTP-Method-Override', 'X-Method-Override', 'X-Original-URL', 'X-Rewrite-URL'],
    ...['Client-IP', 'X-Client-IP', 'X-Cluster-Client-IP', 'Fastly-Client-IP', 'X-Original-Host', 'Alt-Used'],
    ...['Cookie2', 'Set-Cookie2'],
    ...['If-Match', 'if-none-match', 'Range', 'Max-Forwards', 'Idempotency-Key'],
  ])('may not be %s', (name) => {
    expect(headerFaults({ [name]: 'value' })).toEqual([{ name, detail: 'This header is not yours to set.' }])
  })

  it.each([
    '',
    ' ',
    'X Own',
    'X-Own:',
    'X-Own\r\nX-More',
    ' X-Own',
    'X-Own\0',
    'Größe',
    'X-あ',
    'X(Own)',
    '"X"',
    'n'.repeat(65),
  ])('may not be called %j', (name) => {
    expect(namesOf({ [name]: 'value' })).toEqual([name])
  })

  it.each(['v', 'Bearer abc.def', 'a\tb', '~', '{"a": [1]}', 'v'.repeat(1024)])(
    'may be worth %j',
    (value) => {
      expect(namesOf({ 'X-Own': value })).toEqual([])
    },
  )

  it.each([
    '',
    ' ',
    ' a',
    'a ',
    '\ta',
    'a\t',
    'a\r\nX-More: b',
    'a\nb',
    'a\rb',
    'a\0b',
    'a\x7f',
    'é',
    'あ',
    'v'.repeat(1025),
  ])('may not be worth %j, which is not told again', (value) => {
    const [fault] = headerFaults({ 'X-Own': value })

    expect(fault).toMatchObject({ name: 'X-Own', detail: expect.stringContaining('value') })
    if (value.trim().length > 1) expect(fault?.detail).not.toContain(value)
  })

  it('is there once, whatever its case', () => {
    expect(namesOf({ 'X-Own': 'a', 'X-Other': 'b', 'x-OWN': 'c' })).toEqual(['x-OWN'])
  })

  it('is one of 20 at most', () => {
    expect(headerFaults(numbered(20))).toEqual([])
    expect(headerFaults(numbered(21))).toEqual([{ name: null, detail: 'At most 20 headers.' }])
  })

  it('is named with each of the others that are wrong', () => {
    expect(namesOf({ Host: 'a', 'X-Own': 'b', 'X-Bad': ' c' })).toEqual(['Host', 'X-Bad'])
  })
})
