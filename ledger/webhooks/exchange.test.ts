import { afterEach, describe, expect, it, vi } from 'vitest'
import { EXCHANGE_MS, exchange } from './exchange.ts'

const at = 1_000_000
const request = () => new Request('https://example.com/hook', { method: 'POST', body: '{}' })

/** A receiver that answers like this after 40 ms, or does not. */
function receiver(answer: () => Response | Promise<Response>) {
  const times = [at, at + 40]
  const fetch = vi.fn<typeof globalThis.fetch>(async () => answer())
  const attempt = exchange(request(), { fetch, now: () => times.shift() ?? at }).then((made) => made.attempt)
  return { fetch, attempt }
}

afterEach(() => {
  vi.restoreAllMocks()
})

describe('an exchange', () => {
  it('sends the request once, follows no redirect and sets a limit to its time', async () => {
    const timeout = vi.spyOn(AbortSignal, 'timeout')
    const { fetch, attempt } = receiver(() => new Response())
    await attempt

    expect(fetch).toHaveBeenCalledExactlyOnceWith(expect.any(Request), {
      redirect: 'manual',
      signal: expect.any(AbortSignal),
    })
    expect(timeout).toHaveBeenCalledExactlyOnceWith(EXCHANGE_MS)
    expect(EXCHANGE_MS).toBe(15_000)
  })

  it('tells when it was, how long it took, and what came back', async () => {
    expect(await receiver(() => new Response('Thank you.')).attempt).toEqual({
      at,
      status_code: 200,
      latency_ms: 40,
      error: null,
      response_excerpt: 'Thank you.',
      response_truncated: false,
    })
  })

  it.each([
    [302, 302, 'redirect'],
    [503, 503, 'http_status'],
    [526, null, 'tls_failed'],
  ])('that ends with %i has the status %s and the error %s', async (status, status_code, error) => {
    const { attempt } = receiver(() => new Response('error code: 1', { status }))

    expect(await attempt).toMatchObject({ status_code, error, response_excerpt: 'error code: 1' })
  })

  it.each([
    ['its time is up', new DOMException('Too late.', 'TimeoutError'), 'timeout'],
    ['the connection fails', new TypeError('fetch failed: 10.0.0.7 refused'), 'connection_failed'],
    ['something is thrown that is no error', 'boom', 'connection_failed'],
  ])('has no status when %s, and none of what was thrown', async (_, thrown, error) => {
    const { attempt } = receiver(() => Promise.reject(thrown))

    expect(await attempt).toEqual({
      at,
      status_code: null,
      latency_ms: 40,
      error,
      response_excerpt: null,
      response_truncated: false,
    })
  })

  it('looks who is there when the connection failed, at the cost of no time of the receiver', async () => {
    let time = at
    const look = vi.fn(async () => {
      time += 500
      return 'absent' as const
    })
    const fetch = async () => {
      time += 40
      throw new Error('Network connection lost.')
    }
    const { attempt } = await exchange(request(), { fetch, now: () => time, look })

    expect(attempt).toMatchObject({ error: 'connection_refused', latency_ms: 40 })
    expect(look).toHaveBeenCalledExactlyOnceWith(new URL('https://example.com/hook'))
  })
})

describe('the time that a receiver asks for', () => {
  const day = 24 * 3_600_000
  const asked = async (status: number, value?: string) => {
    const headers = value === undefined ? {} : { 'Retry-After': value }
    const fetch = async () => new Response(null, { status, headers })
    return (await exchange(request(), { fetch, now: () => at })).retryAfterMs
  }

  it.each([302, 400, 404, 410, 429, 500, 502, 503, 504, 521])('counts with %i', async (status) => {
    expect(await asked(status, '120')).toBe(120_000)
  })

  it.each([200, 202, 204])('does not count with %i', async (status) => {
    expect(await asked(status, '120')).toBeNull()
  })

  it.each([
    ['0', 0],
    ['7', 7000],
    [new Date(at + 30_000).toUTCString(), 30_000],
    ['86400', day],
    ['86401', day],
    ['9'.repeat(400), day],
    ['Fri, 31 Dec 9999 23:59:59 GMT', day],
    [new Date(at).toUTCString(), 0],
    [new Date(at - 1000).toUTCString(), null],
    ['-5', null],
    ['soon', null],
    ['', null],
    [undefined, null],
  ])('is by %.40j %s ms', async (value, wanted) => {
    expect(await asked(503, value)).toBe(wanted)
  })
})

/** A body that never ends, in chunks of this size. */
function endlessBody(chunk: number) {
  const seen = { bytes: 0, cancelled: false }
  const body = new ReadableStream<Uint8Array>(
    {
      pull(controller) {
        seen.bytes += chunk
        controller.enqueue(new Uint8Array(chunk).fill(120))
      },
      cancel() {
        seen.cancelled = true
      },
    },
    { highWaterMark: 0 },
  )
  return { seen, body }
}

describe('the answer', () => {
  it.each([
    [100, 1100],
    [1024, 2048],
    [65_536, 65_536],
  ])('is read up to 1 KiB and no further, in chunks of %i', async (chunk, pulled) => {
    const { seen, body } = endlessBody(chunk)
    const { response_excerpt } = await receiver(() => new Response(body)).attempt

    expect(response_excerpt).toBe('x'.repeat(1024))
    expect(seen).toEqual({ bytes: pulled, cancelled: true })
  })

  it.each([
    ['has no body', null, null],
    ['is empty', '', null],
    ['is of exactly 1 KiB', 'x'.repeat(1024), 'x'.repeat(1024)],
    ['is of one byte more', 'x'.repeat(1025), 'x'.repeat(1024)],
    ['is of any script', 'ありがとう 👍', 'ありがとう 👍'],
    ['is cut within a character', `${'x'.repeat(1022)}👍`, 'x'.repeat(1022)],
    ['is no text', new Uint8Array([0xff, 0, 0x41]), '\ufffd\0A'],
  ])('gives its excerpt when it %s', async (_, body, excerpt) => {
    expect((await receiver(() => new Response(body)).attempt).response_excerpt).toBe(excerpt)
  })

  it.each([
    ['breaks off', new TypeError('reset'), 'response_broken'],
    ['does not end in time', new DOMException('Too late.', 'TimeoutError'), 'response_timeout'],
  ])('that %s keeps its status and what came of it', async (_, thrown, error) => {
    const parts = [() => 'half', () => Promise.reject(thrown)]
    const body = new ReadableStream<Uint8Array>({
      async pull(controller) {
        controller.enqueue(new TextEncoder().encode(await parts.shift()?.()))
      },
    })

    expect(await receiver(() => new Response(body, { status: 202 })).attempt).toMatchObject({
      status_code: 202,
      error,
      response_excerpt: 'half',
      response_truncated: false,
    })
  })

  it('counts once more than 1 KiB of it came, however it goes on', async () => {
    const parts = [() => 'x'.repeat(1025), () => Promise.reject(new TypeError('reset'))]
    const body = new ReadableStream<Uint8Array>(
      {
        async pull(controller) {
          controller.enqueue(new TextEncoder().encode(await parts.shift()?.()))
        },
      },
      { highWaterMark: 0 },
    )

    expect(await receiver(() => new Response(body)).attempt).toMatchObject({
      status_code: 200,
      error: null,
      response_truncated: true,
    })
  })
})
