/** Clients that go before they are answered. */
import { once } from 'node:events'
import { connect, type Socket } from 'node:net'
import { inject } from 'vitest'
import type { Tenant } from './tenant.ts'

/**
 * A request that nobody listens to: its answer is never read. The connection is reset when it is let go of, since by a mere end of
 * what the client sends a server cannot tell whether it still reads.
 */
export async function unheard(
  { client }: Tenant,
  path: string,
  headers: Record<string, string>,
): Promise<Socket> {
  const { hostname, port } = new URL(inject('stack').url)
  const socket = connect(Number(port), hostname)
  socket.on('error', () => undefined)
  socket.resume()
  await once(socket, 'connect')
  const all = { Host: hostname, Authorization: `Bearer ${client.token}`, ...headers }
  const lines = Object.entries(all).map(([name, value]) => `${name}: ${value}`)
  socket.write(`${[`GET ${path} HTTP/1.1`, ...lines].join('\r\n')}\r\n\r\n`)
  return socket
}
