import { describe, expect, it } from 'vitest'
import { ConnectionError, ProblemError } from './errors.ts'
import { job, json, lost, problem, scripted } from './gateway.fixture.ts'
import * as operations from './generated/sdk.gen.ts'

const request = { kind: 'summarize', input: { text: 'All human beings are born free.' } } as const
const accepted = json(202, job())
const keysOf = (sent: { headers: Headers }[]) => sent.map(({ headers }) => headers.get('Idempotency-Key'))

/** An answer whose connection breaks before it has all come. */
const cutShort = () => {
  const source = {
    start(controller: ReadableStreamDefaultController<Uint8Array>) {
      controller.enqueue(new TextEncoder().encode('{"id":"job_'))
      controller.error(new TypeError('terminated'))
    },
  }
  return new Response(new ReadableStream(source), {
    status: 202,
    headers: { 'Content-Type': 'application/json' },
  })
}

describe('a submission', () => {
  it.each([
    ['is lost', lost],
    ['is cut short', cutShort],
    ['is 503', problem(503, 'unavailable')],
    ['is a page of a proxy', () => new Response('<h1>Bad gateway</h1>', { status: 502 })],
    ['is that the first is still running', problem(409, 'idempotency-in-progress')],
  ])('whose answer %s is sent again under the same key', async (_, answer) => {
    const { gateway, sent, pauses } = scripted([answer, answer, accepted])

    expect(await gateway.jobs.create(request)).toMatchObject({ id: 'job_1' })

    expect(sent.map(({ method, path }) => `${method} ${path}`)).toEqual(Array(3).fill('POST /v1/jobs'))
    expect(new Set(sent.map(({ text }) => text)).size).toBe(1)
    expect(JSON.parse(sent[0]?.text ?? '')).toEqual(request)
    const [key, ...others] = keysOf(sent)
    expect(key).toMatch(/^[0-9a-f-]{36}$/)
    expect(others).toEqual([key, key])
    expect(pauses).toEqual([250, 500])
  })

  it('has a key of its own each time, unless one is given', async () => {
    const { gateway, sent } = scripted([accepted, accepted, accepted])

    await gateway.jobs.create(request)
    await gateway.jobs.create(request)
    await gateway.jobs.create(request, { idempotencyKey: 'order-4711' })

    const [first, second, given] = keysOf(sent)
    expect(first).not.toBe(second)
    expect(given).toBe('order-4711')
  })

  it('waits as long as Retry-After says', async () => {
    const { gateway, pauses } = scripted([problem(429, 'rate-limited', { 'Retry-After': '7' }), accepted])

    await gateway.jobs.create(request)

    expect(pauses).toEqual([7250])
  })

  it('is given back with its problem where a retry is no use', async () => {
    const { gateway, sent } = scripted([problem(402, 'cost-over-limit')])

    const error = await gateway.jobs.create(request).catch((thrown: unknown) => thrown)

    expect(error).toBeInstanceOf(ProblemError)
    expect(error).toMatchObject({
      status: 402,
      slug: 'cost-over-limit',
      requestId: 'req_1',
      retryAfter: null,
    })
    expect((error as ProblemError).message).toBe('402 cost-over-limit: A detail.')
    expect(sent).toHaveLength(1)
  })

  it('is given back with the last answer when retries have not helped', async () => {
    const { gateway, sent } = scripted(Array(5).fill(problem(503, 'intake-paused', { 'Retry-After': '30' })))

    await expect(gateway.jobs.create(request)).rejects.toMatchObject({
      slug: 'intake-paused',
      retryAfter: 30,
    })
    expect(sent).toHaveLength(5)
  })

  it('is given back at once when it is to wait for longer than it may', async () => {
    const { gateway, sent, pauses } = scripted([problem(503, 'intake-paused', { 'Retry-After': '3600' })])

    await expect(gateway.jobs.create(request)).rejects.toMatchObject({ status: 503, retryAfter: 3600 })
    expect([sent.length, pauses]).toEqual([1, []])
  })

  it('tells what is the matter when there is no answer at all', async () => {
    const { gateway, sent } = scripted([lost, lost], { retry: { retries: 1 } })

    const error = await gateway.jobs.create(request).catch((thrown: unknown) => thrown)

    expect(error).toBeInstanceOf(ConnectionError)
    expect(error).toMatchObject({
      message: 'No answer to POST /v1/jobs, sent 2 times: fetch failed',
      cause: expect.any(TypeError),
    })
    expect(sent).toHaveLength(2)
  })

  it('ends with the signal, and is not sent again', async () => {
    const controller = new AbortController()
    const { gateway, sent } = scripted([
      () => {
        controller.abort(new Error('enough'))
        return lost({ method: '', path: '', headers: new Headers(), text: '' })
      },
    ])

    await expect(gateway.jobs.create(request, { signal: controller.signal })).rejects.toThrow('enough')
    expect(sent).toHaveLength(1)
  })

  it('names an answer that is no problem document as such', async () => {
    const { gateway } = scripted([() => new Response('no', { status: 418, statusText: "I'm a teapot" })])

    await expect(gateway.jobs.create(request)).rejects.toMatchObject({
      status: 418,
      slug: null,
      problem: { type: 'about:blank', title: "I'm a teapot" },
    })
  })
})

describe('an upload', () => {
  it('is sent again with the same bytes', async () => {
    const { gateway, sent } = scripted([lost, json(201, { id: 'file_1', object: 'file' })])

    await gateway.files.upload(new TextEncoder().encode('人間は自由'), {
      contentType: 'text/plain',
      retentionSeconds: 60,
    })

    expect(sent.map(({ text }) => text)).toEqual(['人間は自由', '人間は自由'])
    expect(sent[1]?.path).toBe('/v1/files?retention_seconds=60')
    expect(sent[1]?.headers.get('Content-Type')).toBe('text/plain')
  })
})

describe('a request by a generated function', () => {
  it('travels like any other, a POST under a key', async () => {
    const { gateway, sent } = scripted([lost, json(200, { would_be_accepted: true })])

    const { data, response } = await operations.estimateJob({ client: gateway.client, body: request })

    expect([data.would_be_accepted, response.status]).toEqual([true, 200])
    const [key, again] = keysOf(sent)
    expect(key).toBeTruthy()
    expect(again).toBe(key)
  })

  it.each(['GET', 'DELETE', 'PATCH'] as const)('needs no key as a %s', async (method) => {
    const { gateway, sent } = scripted([lost, json(200, {})])

    await gateway.client.request({ method, url: '/v1/anything' })

    expect(keysOf(sent)).toEqual([null, null])
  })
})
