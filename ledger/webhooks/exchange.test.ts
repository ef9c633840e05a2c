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

/** A response with any status, also with those that only a platform makes up. */
const withStatus = (status: number) => Object.defineProperty(new Response('x'), 'status', { value: status })

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
    [200, null],
    [202, null],
    [204, null],
    [299, null],
    [199, 'http_status'],
    [301, 'redirect'],
    [302, 'redirect'],
    [304, 'redirect'],
    [307, 'redirect'],
    [308, 'redirect'],
    [400, 'http_status'],
    [410, 'http_status'],
    [429, 'http_status'],
    [500, 'http_status'],
    [503, 'http_status'],
    [520, 'http_status'],
    [527, 'http_status'],
  ])('that ends with %i has the error %s', async (status, error) => {
    expect(await receiver(() => withStatus(status)).attempt).toMatchObject({ status_code: status, error })
  })

  it.each([
    [521, 'connection_refused'],
    [522, 'connection_timed_out'],
    [523, 'unreachable'],
    [524, 'timeout'],
    [525, 'tls_failed'],
    [526, 'tls_failed'],
    [530, 'dns_failed'],
  ])('that the platform ends with %i had no status: %s', async (status, error) => {
    expect(await receiver(() => withStatus(status)).attempt).toMatchObject({ status_code: null, error })
  })

  it.each([
    ['its time is up', new DOMException('Too late.', 'TimeoutError'), 'timeout'],
    ['the connection fails', new TypeError('fetch failed: 10.0.0.7 refused'), 'connection_failed'],
    ['something is thrown that is no error', 'boom', 'connection_failed'],
  ])('has no status when %s', async (_, thrown, error) => {
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
  ])('gives its excerpt when it %s', async (_, body, excerpt) => {
    expect((await receiver(() => new Response(body)).attempt).response_excerpt).toBe(excerpt)
  })

  it('that stops half-way is a failure', async () => {
    const { attempt } = receiver(
      () =>
        new Response(new ReadableStream({ pull: (controller) => controller.error(new TypeError('reset')) })),
    )

    expect(await attempt).toMatchObject({ status_code: null, error: 'connection_failed' })
  })

  it('that does not end in time is a failure', async () => {
    const late = new DOMException('Too late.', 'TimeoutError')
    const { attempt } = receiver(
      () => new Response(new ReadableStream({ pull: (controller) => controller.error(late) })),
    )

    expect(await attempt).toMatchObject({ status_code: null, error: 'timeout' })
  })
})
