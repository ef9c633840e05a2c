/** Receivers that misbehave: real servers on loopback that answer what no well-behaved one would, or nothing. */
import { readFileSync } from 'node:fs'
import { createServer as createHttpServer, type RequestListener } from 'node:http'
import { createServer as createHttpsServer } from 'node:https'
import { type AddressInfo, createServer, type Server, type Socket } from 'node:net'
import { join } from 'node:path'
import { constants, deflateRawSync } from 'node:zlib'

export interface Faulty {
  readonly url: string
  /** Connections that are open now. */
  readonly open: () => number
}

/** Nothing listens on the first of the ports that only the system may take. */
export const CLOSED_URL = 'http://127.0.0.1:1/hooks'

const started: { server: Server; sockets: Set<Socket> }[] = []

/** To be called when a file's specs are over, which may run side by side. */
export function closeReceivers(): void {
  for (const { server, sockets } of started.splice(0)) {
    for (const socket of sockets) socket.destroy()
    server.close()
  }
}

async function listen(server: Server, scheme: 'http' | 'https'): Promise<Faulty> {
  const sockets = new Set<Socket>()
  started.push({ server, sockets })
  server.on('connection', (socket: Socket) => {
    sockets.add(socket)
    socket.on('error', () => undefined).on('close', () => sockets.delete(socket))
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  return { url: `${scheme}://127.0.0.1:${port}/hooks`, open: () => sockets.size }
}

/** What to do with each connection, once something of a request has come; `nth` counts connections that got so far, from 0. */
export const rawReceiver = (answer: (socket: Socket, nth: number) => void): Promise<Faulty> => {
  let nth = 0
  return listen(
    createServer((socket) => socket.once('data', () => answer(socket, nth++))),
    'http',
  )
}

export const httpReceiver = (answer: RequestListener): Promise<Faulty> =>
  listen(createHttpServer(answer), 'http')

export type CertificateName = 'trusted' | 'expired' | 'misnamed' | 'untrusted'

const pem = (file: string) => readFileSync(join(import.meta.dirname, 'certificates', file))
const certified = (name: CertificateName) => ({ key: pem('leaf.key'), cert: pem(`${name}.pem`) })

/** A receiver behind TLS that thanks for everything, with a certificate that can be exchanged. */
export async function httpsReceiver(name: CertificateName) {
  const server = createHttpsServer(certified(name), (_, response) => response.writeHead(204).end())
  const faulty = await listen(server, 'https')
  return { ...faulty, show: (other: CertificateName) => server.setSecureContext(certified(other)) }
}

/** Writes this again and again, as long as there is somebody to read it. */
export function drip(socket: Socket, text: string, everyMs: number): void {
  const timer = setInterval(() => socket.write(text), everyMs)
  socket.on('close', () => clearInterval(timer))
}

const MEMBER_HEAD = Buffer.from([0x1f, 0x8b, 8, 0, 0, 0, 0, 0, 0, 3])
const BLOCK_BYTES = 16 * 1024 * 1024

/** A gzip body (RFC 1952) of about 2 MB that inflates to 2 GiB of one letter, and has no end. */
export function gzipBomb(): Buffer {
  const block = deflateRawSync(Buffer.alloc(BLOCK_BYTES, 'x'), { finishFlush: constants.Z_FULL_FLUSH })
  return Buffer.concat([MEMBER_HEAD, ...Array.from({ length: 128 }, () => block)])
}
