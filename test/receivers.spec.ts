import { gzipSync } from 'node:zlib'
import { afterAll, describe, expect, it } from 'vitest'
import { attempted, outcomesOf, tellingOf } from './support/attempts.ts'
import { inLedger } from './support/control.ts'
import {
  CLOSED_URL,
  closeReceivers,
  drip,
  gzipBomb,
  httpReceiver,
  httpsReceiver,
  rawReceiver,
} from './support/faulty-receiver.ts'
import { newReceiver } from './support/receiver.ts'
import { until } from './support/wait.ts'

afterAll(closeReceivers)

const delivered = [200, 201, 202, 204, 299]
const redirects = [301, 302, 303, 307, 308]
const refusals = [400, 401, 404, 409, 410, 429, 500, 502, 503, 504]

describe('a receiver that answers', () => {
  it('has taken a webhook by a 2xx and by nothing else, and is never followed elsewhere', async () => {
    const target = await newReceiver()
    const { url } = await httpReceiver((request, response) => {
      const status = Number(request.url?.split('/').at(-1))
      response
        .writeHead(status, { Location: target.url })
        .end(status === 204 ? undefined : `I say ${status}.`)
    })

    const statuses = [...delivered, ...redirects, ...refusals, 530]
    const attempts = await attempted(
      Object.fromEntries(statuses.map((status) => [String(status), `${url}/${status}`])),
    )

    const all = (list: number[], error: string | null) => list.map((status) => [status, [status, error]])
    expect(outcomesOf(attempts)).toEqual(
      Object.fromEntries([
        ...all(delivered, null),
        ...all(redirects, 'redirect'),
        ...all(refusals, 'http_status'),
        // Only the platform says so, of a name that does not resolve.
        [530, [null, 'dns_failed']],
      ]),
    )
    for (const status of statuses)
      expect(attempts[status]).toMatchObject({
        response_excerpt: status === 204 ? null : `I say ${status}.`,
        response_truncated: false,
      })
    expect(target.received).toEqual([])
  })

  it('is asked for nothing compressed', async () => {
    const receiver = await newReceiver()
    await attempted({ receiver: receiver.url })

    expect(receiver.received[0]?.headers['accept-encoding']).toBe('identity')
  })

  it('is read to 1 KiB and no further, however much it says and however small it was packed', async () => {
    const [large, endless, bomb, packed] = await Promise.all([
      httpReceiver((_, response) => response.writeHead(200).end(Buffer.alloc(10_000_000, 'x'))),
      rawReceiver((socket) => {
        socket.write('HTTP/1.1 500 Oops\r\nConnection: close\r\n\r\n')
        drip(socket, 'x'.repeat(65_536), 1)
      }),
      httpReceiver((_, response) => response.writeHead(200, { 'Content-Encoding': 'gzip' }).end(gzipBomb())),
      httpReceiver((_, response) =>
        response.writeHead(200, { 'Content-Encoding': 'gzip' }).end(gzipSync('Thank you.')),
      ),
    ])
    const attempts = await attempted({
      large: large.url,
      endless: endless.url,
      bomb: bomb.url,
      packed: packed.url,
    })

    expect(outcomesOf(attempts)).toEqual({
      large: [200, null],
      endless: [500, 'http_status'],
      bomb: [200, null],
      packed: [200, null],
    })
    const excerpt = { response_excerpt: 'x'.repeat(1024), response_truncated: true }
    expect(attempts).toMatchObject({
      large: excerpt,
      endless: excerpt,
      bomb: excerpt,
      packed: { response_excerpt: 'Thank you.', response_truncated: false },
    })
    await until('nobody reads any more', () => [large, endless, bomb].every(({ open }) => open() === 0))
  })
})

const urlsOf = (receivers: Record<string, { url: string }>) =>
  Object.fromEntries(Object.entries(receivers).map(([name, { url }]) => [name, url]))

/** Answers with these bytes, and ends the connection. */
const saying = (bytes: string) => rawReceiver((socket) => socket.end(bytes))

describe.concurrent('a receiver that fails', () => {
  it('is told apart by how: before its status', async () => {
    const receivers = {
      ends: await rawReceiver((socket) => socket.end()),
      resets: await rawReceiver((socket) => socket.resetAndDestroy()),
      'speaks no HTTP': await saying('SSH-2.0-OpenSSH_9.9\r\n'),
      'ends within its headers': await saying('HTTP/1.1 200 OK\r\nContent-Le'),
      'has no trusted certificate': await httpsReceiver('untrusted'),
      'has an expired certificate': await httpsReceiver('expired'),
      "has another host's certificate": await httpsReceiver('misnamed'),
    }
    const http = await httpReceiver((_, response) => response.writeHead(204).end())

    const attempts = await attempted({
      ...urlsOf(receivers),
      'does not listen': CLOSED_URL,
      'does not listen for TLS': CLOSED_URL.replace('http:', 'https:'),
      'speaks no TLS': http.url.replace('http:', 'https:'),
    })

    const reset = [null, 'connection_reset']
    const refused = [null, 'connection_refused']
    const tls = [null, 'tls_failed']
    expect(outcomesOf(attempts)).toEqual({
      ends: reset,
      resets: reset,
      'speaks no HTTP': reset,
      'ends within its headers': reset,
      'has no trusted certificate': tls,
      'has an expired certificate': tls,
      "has another host's certificate": tls,
      'does not listen': refused,
      'does not listen for TLS': refused,
      'speaks no TLS': tls,
    })
    for (const attempt of Object.values(attempts))
      expect(attempt).toMatchObject({ response_excerpt: null, response_truncated: false })
  })

  it('is told apart by how: after its status, which stays, with what came', async () => {
    const head = 'HTTP/1.1 202 Accepted\r\n'
    const receivers = {
      'cuts its body': await saying(`${head}Content-Length: 100\r\n\r\nhalf`),
      'resets within its body': await rawReceiver((socket) => {
        socket.write(`${head}Content-Length: 100\r\n\r\nhalf`)
        setTimeout(() => socket.resetAndDestroy(), 500)
      }),
      'cuts a chunked body': await saying(`${head}Transfer-Encoding: chunked\r\n\r\n4\r\nhalf\r\n`),
      'garbles a chunk': await saying(`${head}Transfer-Encoding: chunked\r\n\r\nzz\r\nhalf\r\n`),
      'says gzip of what is none': await saying(
        `${head}Content-Encoding: gzip\r\nContent-Length: 4\r\n\r\nhalf`,
      ),
      'cuts its body with a 500': await saying('HTTP/1.1 500 Oops\r\nContent-Length: 100\r\n\r\nhalf'),
      'ends a body of no length': await saying(`${head}Connection: close\r\n\r\nwhole`),
    }
    const attempts = await attempted(urlsOf(receivers))

    const broken = (response_excerpt: string | null) => ({
      status_code: 202,
      error: 'response_broken',
      response_excerpt,
    })
    expect(attempts).toMatchObject({
      'cuts its body': broken('half'),
      'resets within its body': broken('half'),
      'cuts a chunked body': broken('half'),
      'garbles a chunk': broken(null),
      'says gzip of what is none': broken(null),
      'cuts its body with a 500': { status_code: 500, error: 'http_status', response_excerpt: 'half' },
      'ends a body of no length': { status_code: 202, error: null, response_excerpt: 'whole' },
    })
  })

  it('has 15 s for all of it, and is told apart by what it did meanwhile', async () => {
    const head = 'HTTP/1.1 200 OK\r\nContent-Length: 1000\r\n\r\n'
    const receivers = {
      hangs: await rawReceiver(() => undefined),
      'drips its headers': await rawReceiver((socket) => {
        socket.write('HTTP/1.1 200 OK\r\nX: ')
        drip(socket, 'x', 200)
      }),
      'hangs within TLS': {
        url: (await rawReceiver(() => undefined)).url.replace('http:', 'https:'),
      },
      'hangs after its headers': await rawReceiver((socket) => socket.write(head)),
      'drips its body': await rawReceiver((socket) => {
        socket.write(head)
        drip(socket, 'x', 200)
      }),
    }
    const attempts = await attempted(urlsOf(receivers))

    expect(outcomesOf(attempts)).toEqual({
      hangs: [null, 'timeout'],
      'drips its headers': [null, 'timeout'],
      'hangs within TLS': [null, 'timeout'],
      'hangs after its headers': [200, 'response_timeout'],
      'drips its body': [200, 'response_timeout'],
    })
    for (const { latency_ms } of Object.values(attempts)) {
      expect(latency_ms).toBeGreaterThan(14_900)
      expect(latency_ms).toBeLessThan(25_000)
    }
    expect(attempts['hangs after its headers']?.response_excerpt).toBeNull()
    expect(attempts['drips its body']?.response_excerpt).toMatch(/^x+$/)
  })

  it('gets its webhook once it is well again', async () => {
    const [untrusted, expired] = [await httpsReceiver('untrusted'), await httpsReceiver('expired')]
    const resets = await rawReceiver((socket, nth) =>
      nth === 0 ? socket.resetAndDestroy() : socket.end('HTTP/1.1 204 No Content\r\n\r\n'),
    )
    const { acme, attempts } = await tellingOf({
      untrusted: untrusted.url,
      expired: expired.url,
      resets: resets.url,
    })

    await attempts(1)
    for (const { show } of [untrusted, expired]) show('trusted')

    const errors = Object.entries(await attempts(2)).map(([name, made]) => [
      name,
      made.map(({ status_code, error }) => error ?? status_code),
    ])
    expect(Object.fromEntries(errors)).toEqual({
      untrusted: ['tls_failed', 204],
      expired: ['tls_failed', 204],
      resets: ['connection_reset', 204],
    })
    const rows = await inLedger<{ status: string }>(acme.id, 'select status from deliveries')
    expect(rows.map(({ status }) => status)).toEqual(['delivered', 'delivered', 'delivered'])
  })
})
