/** Requests that only a raw socket can send, each over one of its own. */
import { randomUUID } from 'node:crypto'
import { connect } from 'node:net'
import { inject } from 'vitest'
import type { Body } from './client.ts'
import type { Tenant } from './tenant.ts'

export interface RawAnswer {
  readonly status: number
  readonly headers: Headers
  /** Parsed, where it is JSON. */
  readonly body: Body
  /** All that came, headers included. */
  readonly text: string
}

export interface RawRequest {
  /** The request line; what is sent is HTTP/1.1. */
  readonly line?: string
  /** Lines of headers, beside `Host` and `Connection: close`. */
  readonly lines?: readonly string[]
  readonly body?: string | Uint8Array
  /** Sends no more after this, as whose connection has broken. */
  readonly hangsUp?: boolean
}

const ANSWER_MS = 20_000

/** Answers what came back until the other side closed the connection. */
export async function rawRequest({
  line = 'POST /v1/jobs',
  lines = [],
  body = '',
  hangsUp = false,
}: RawRequest): Promise<RawAnswer> {
  const head = [`${line} HTTP/1.1`, 'Host: api.gateway.test', 'Connection: close', ...lines, '', ''].join(
    '\r\n',
  )
  return answerIn(await sent(Buffer.concat([Buffer.from(head), Buffer.from(body)]), hangsUp))
}

/** The same with a token of the tenant and a fresh key. */
export const rawRequestOf = ({ client }: Pick<Tenant, 'client'>, { lines = [], ...rest }: RawRequest) =>
  rawRequest({
    ...rest,
    lines: [`Authorization: Bearer ${client.token}`, `Idempotency-Key: ${randomUUID()}`, ...lines],
  })

function sent(bytes: Buffer, hangsUp: boolean): Promise<string> {
  const { hostname, port } = new URL(inject('stack').url)
  return new Promise((resolve, reject) => {
    const parts: Buffer[] = []
    const socket = connect(Number(port), hostname)
    socket.setTimeout(ANSWER_MS, () => socket.destroy(new Error('No answer came.')))
    socket.on('data', (data) => parts.push(data))
    socket.on('error', reject)
    socket.on('close', () => resolve(Buffer.concat(parts).toString()))
    socket.write(bytes)
    if (hangsUp) socket.end()
  })
}

/** The last answer, as an interim one may come before. */
function answerIn(text: string): RawAnswer {
  const final = text.slice(Math.max(0, text.lastIndexOf('HTTP/1.1 ')))
  const end = final.indexOf('\r\n\r\n')
  const [first = '', ...fields] = final.slice(0, end).split('\r\n')
  const headers = new Headers(
    fields.map((field): [string, string] => {
      const colon = field.indexOf(':')
      return [field.slice(0, colon), field.slice(colon + 1).trim()]
    }),
  )
  const content = final.slice(end + 4)
  const isJson = /[/+]json\b/.test(headers.get('Content-Type') ?? '')
  return {
    status: Number(first.split(' ')[1]),
    headers,
    body: (isJson ? JSON.parse(content) : content) as Body,
    text,
  }
}
