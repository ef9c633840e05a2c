import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { BoundedCache } from '../bounded-cache.ts'
import { LONGEST_MS, LOOK_UP_MS, type LookedUp, makeResolver, WITHOUT_ADDRESS_MS } from './dns.ts'

const URL_OF_RESOLVER = 'https://dns.dev/dns-query'
const A = 1
const CNAME = 5
const AAAA = 28
const RRSIG = 46

interface Told {
  readonly type: number
  readonly data: string
  readonly TTL?: number
}

/** An answer in full, as resolvers give it. */
const found = (...records: Told[]) => ({
  Status: 0,
  TC: false,
  RD: true,
  RA: true,
  Question: [{ name: 'example.com', type: A }],
  ...(records.length > 0 && {
    Answer: records.map((record) => ({ name: 'example.com', TTL: 60, ...record })),
  }),
})

const v4 = found({ type: A, data: '93.184.215.14' })
const v6 = found({ type: AAAA, data: '2606:2800:21f:cb07::1' })

type Answering = (type: string, nth: number) => Response | Promise<Response>

/** A resolver with a clock to set. */
function newResolver(answering: Answering, url = URL_OF_RESOLVER, cache = new BoundedCache<LookedUp>(10)) {
  const clock = { now: 1_000_000 }
  const asked: { url: URL; init: RequestInit | undefined }[] = []
  const fetch = async (input: unknown, init?: RequestInit) => {
    const question = new URL(String(input))
    asked.push({ url: question, init })
    return answering(question.searchParams.get('type') ?? '', asked.length - 1)
  }
  const resolve = makeResolver({ url, fetch: fetch as typeof globalThis.fetch, now: () => clock.now, cache })
  return { resolve, asked, clock }
}

const json = (body: unknown, status = 200) => Response.json(body, { status })
const answers =
  (a: unknown, aaaa: unknown): Answering =>
  (type) =>
    json(type === 'A' ? a : aaaa)

const lines: string[] = []
beforeEach(() => {
  lines.length = 0
  vi.spyOn(console, 'log').mockImplementation((line) => {
    lines.push(line)
  })
})
afterEach(() => {
  vi.restoreAllMocks()
})

describe('a look-up', () => {
  it('asks for IPv4 and for IPv6, in the JSON form, and follows no redirect', async () => {
    const { resolve, asked } = newResolver(answers(v4, v6))

    await resolve('example.com')

    expect(asked.map(({ url }) => url.href)).toEqual([
      `${URL_OF_RESOLVER}?name=example.com&type=A`,
      `${URL_OF_RESOLVER}?name=example.com&type=AAAA`,
    ])
    for (const { init } of asked)
      expect(init).toEqual({
        headers: { Accept: 'application/dns-json' },
        redirect: 'manual',
        signal: expect.any(AbortSignal),
      })
  })

  it('takes 3 s at most', async () => {
    const timeout = vi.spyOn(AbortSignal, 'timeout')

    await newResolver(answers(v4, v6)).resolve('example.com')

    expect(timeout.mock.calls).toEqual([[LOOK_UP_MS], [LOOK_UP_MS]])
    expect(LOOK_UP_MS).toBe(3000)
  })

  it('keeps the query that the URL has already', async () => {
    const { resolve, asked } = newResolver(answers(v4, v6), 'https://dns.dev/q?do=1&cd=0')

    await resolve('example.com')

    expect(asked[0]?.url.href).toBe('https://dns.dev/q?do=1&cd=0&name=example.com&type=A')
  })

  it('finds the addresses of both answers', async () => {
    expect(await newResolver(answers(v4, v6)).resolve('example.com')).toEqual({
      addresses: ['93.184.215.14', '2606:2800:21f:cb07::1'],
      aliases: [],
      complete: true,
    })
  })

  it('finds the names on the way, in lower case and without a last dot, and leaves other records alone', async () => {
    const a = found(
      { type: CNAME, data: 'Shop.Example.NET.' },
      { type: CNAME, data: 'edge.example.org.' },
      { type: RRSIG, data: 'A 8 2 60 …' },
      { type: A, data: '93.184.215.14' },
    )

    expect(await newResolver(answers(a, found())).resolve('example.com')).toEqual({
      addresses: ['93.184.215.14'],
      aliases: ['shop.example.net', 'edge.example.org'],
      complete: true,
    })
  })

  it.each([
    [
      'that does not exist',
      { Status: 3, TC: false, Authority: [{ name: 'com', type: 6, TTL: 900, data: 'x' }] },
    ],
    ['without addresses', found()],
    ['with the least that an answer holds', { Status: 0 }],
  ])('of a name %s finds nothing, and knows it', async (_, body) => {
    expect(await newResolver(answers(body, body)).resolve('example.com')).toEqual({
      addresses: [],
      aliases: [],
      complete: true,
    })
  })
})

const noAnswers: [string, () => Response | Promise<Response>][] = [
  ['cannot be reached', () => Promise.reject(new TypeError('connection lost'))],
  ['takes too long', () => Promise.reject(new DOMException('', 'TimeoutError'))],
  ['answers 500', () => json({ Status: 0 }, 500)],
  ['answers 429', () => json({ Status: 0 }, 429)],
  ['redirects', () => new Response(null, { status: 302, headers: { Location: 'https://evil.dev/' } })],
  ['answers with nothing', () => new Response(null, { status: 204 })],
  ['answers with a page', () => new Response('<html>Log in</html>')],
  ['answers with something else', () => json({ error: 'no' })],
  ['answers with a list', () => json([])],
  ['answers with a status in words', () => json({ Status: 'NOERROR' })],
  ['fails (SERVFAIL)', () => json({ Status: 2 })],
  ['refuses (REFUSED)', () => json({ Status: 5 })],
  ['does not understand (FORMERR)', () => json({ Status: 1 })],
  ['is of a later time', () => json({ Status: 23 })],
  ['cuts its answer off', () => json({ ...v4, TC: true })],
  ['gives an address that is none', () => json(found({ type: A, data: '93.184.215' }))],
  ['gives an address with a zone', () => json(found({ type: AAAA, data: 'fe80::1%eth0' }))],
  [
    'gives records without data',
    () => json({ Status: 0, Answer: [{ name: 'example.com', type: A, TTL: 1 }] }),
  ],
  ['gives a negative lifetime', () => json(found({ type: A, data: '93.184.215.14', TTL: -1 }))],
]

describe('a resolver that', () => {
  it.each(noAnswers)('%s leaves the answer incomplete, and is asked again', async (_, failing) => {
    const { resolve, asked } = newResolver((type) => (type === 'A' ? json(v4) : failing()))

    const first = await resolve('example.com')
    await resolve('example.com')

    expect(first).toEqual({ addresses: ['93.184.215.14'], aliases: [], complete: false })
    expect(asked).toHaveLength(4)
  })

  it('answers neither question is asked again at once as well', async () => {
    const { resolve, asked } = newResolver(() => json({ Status: 2 }))

    const first = await resolve('example.com')
    await resolve('example.com')

    expect(first).toEqual({ addresses: [], aliases: [], complete: false })
    expect(asked).toHaveLength(4)
  })

  it.each(noAnswers)('%s is told to the log, by kind and not by name', async (_, failing) => {
    await newResolver(failing).resolve('secret-name.example.com')

    expect(lines).toHaveLength(2)
    expect(JSON.parse(lines[0] ?? '')).toEqual({
      event: 'dns.failed',
      type: 'A',
      error: expect.stringMatching(/^[A-Za-z0-9]+$/),
    })
  })
})

describe('an answer', () => {
  const records = (...TTLs: number[]) =>
    found(...TTLs.map((TTL) => ({ type: A, data: '93.184.215.14', TTL })))

  it.each([
    ['its shortest record', records(200, 60, 90), found(), 60_000],
    ['the shortest record of both', records(200), found({ type: AAAA, data: '2606::1', TTL: 30 }), 30_000],
    ['5 minutes at most', records(86_400), found(), LONGEST_MS],
    ['some seconds where there is no address', found(), { Status: 3 }, WITHOUT_ADDRESS_MS],
    [
      'some seconds where an alias leads nowhere',
      found({ type: CNAME, data: 'x.dev.', TTL: 0 }),
      found(),
      WITHOUT_ADDRESS_MS,
    ],
  ])('holds as long as %s', async (_, a, aaaa, lifetimeMs) => {
    const { resolve, asked, clock } = newResolver(answers(a, aaaa))
    const first = await resolve('example.com')

    clock.now += lifetimeMs - 1
    expect(await resolve('example.com')).toEqual(first)
    expect(asked).toHaveLength(2)

    clock.now += 1
    await resolve('example.com')
    expect(asked).toHaveLength(4)
  })

  it.each([
    ['that must not be kept', records(0)],
    ['that says nothing of its lifetime', { Status: 0, Answer: [{ type: A, data: '93.184.215.14' }] }],
  ])('%s is asked for each time', async (_, a) => {
    const { resolve, asked } = newResolver(answers(a, found()))

    await resolve('example.com')
    await resolve('example.com')

    expect(asked).toHaveLength(4)
  })

  it('is not taken for that of another name or another resolver', async () => {
    const cache = new BoundedCache<LookedUp>(10)
    const first = newResolver(answers(v4, v6), URL_OF_RESOLVER, cache)
    const second = newResolver(answers(v4, v6), 'https://other.dev/dns-query', cache)

    await first.resolve('example.com')
    await first.resolve('www.example.com')
    await second.resolve('example.com')

    expect([first.asked.length, second.asked.length]).toEqual([4, 2])
  })
})
