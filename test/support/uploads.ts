/** Uploads as customers send them, and as only a raw socket can. */
import { connect } from 'node:net'
import { inject } from 'vitest'
import type { Answer, Body } from './client.ts'
import { contentOf, inLedger } from './control.ts'
import { expectStatus, type Tenant } from './tenant.ts'

export type Content = string | Uint8Array<ArrayBuffer>

export const bytesOf = (...values: number[]) => Uint8Array.from(values)

export const latin1 = (text: string): Uint8Array<ArrayBuffer> =>
  Uint8Array.from(text, (character) => character.charCodeAt(0))

/** The start of a file of sound, which is all that is looked at. */
export const wav = latin1('RIFF\x24\x00\x00\x00WAVEfmt \x10\x00\x00\x00\x01\x00\x01\x00')

interface Sent {
  readonly type?: string
  readonly query?: string
  readonly headers?: Record<string, string>
}

/** Whatever the answer. */
export const upload = (
  { client }: Tenant,
  content: Content,
  { type = 'text/plain', query = '', headers = {} }: Sent = {},
): Promise<Answer> =>
  client.request('POST', `/v1/files${query}`, { raw: content, headers: { 'Content-Type': type, ...headers } })

/** A file that was taken in. */
export const uploaded = async (
  tenant: Tenant,
  content: Content,
  type?: string,
  query?: string,
): Promise<Body> =>
  (await expectStatus(201, upload(tenant, content, { ...(type && { type }), ...(query && { query }) }))).body

export interface FileRow {
  readonly id: string
  readonly ref: string
  readonly expires_at: number
  readonly deleted_at: number | null
  readonly due_at: number
}

export const filesOf = ({ id }: Tenant) =>
  inLedger<FileRow>(id, 'select id, ref, expires_at, deleted_at, due_at from files')

/** Whether an object is deleted, or on the list of what is to be. */
export async function isGoing({ id }: Tenant, ref: string | undefined): Promise<boolean> {
  const doomed = await inLedger<{ ref: string }>(id, 'select ref from doomed_content')
  return doomed.some((row) => row.ref === ref) || !(await contentOf(id)).includes(ref ?? '')
}

/**
 * An upload over a socket of its own: these headers, these parts of a body, then no more, or (`hangsUp`) the end of the
 * connection. Answers what came back.
 */
export function rawUpload(
  { client }: Tenant,
  headers: Record<string, string>,
  parts: readonly Content[],
  hangsUp = false,
): Promise<string> {
  const { hostname, port } = new URL(inject('stack').url)
  const all = { Host: hostname, Connection: 'close', Authorization: `Bearer ${client.token}`, ...headers }
  const head = Object.entries(all).map(([name, value]) => `${name}: ${value}\r\n`)
  return new Promise((resolve) => {
    let answer = ''
    const socket = connect(Number(port), hostname)
    socket.on('data', (data) => {
      answer += data.toString()
    })
    socket.on('error', () => undefined)
    socket.on('close', () => resolve(answer))
    socket.write(`POST /v1/files HTTP/1.1\r\n${head.join('')}\r\n`)
    void sendParts(socket, parts).then(() => hangsUp && socket.end())
  })
}

/** A pause between parts, so that each is a packet of its own. */
async function sendParts(socket: ReturnType<typeof connect>, parts: readonly Content[]): Promise<void> {
  for (const part of parts) {
    await new Promise((resolve) => setTimeout(resolve, 200))
    socket.write(part)
  }
}
