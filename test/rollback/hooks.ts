/** A receiver that keeps each webhook once, by its ID, however often it comes. */
import { createServer, type IncomingMessage } from 'node:http'
import type { AddressInfo } from 'node:net'
import { onTestFinished } from 'vitest'
import type { Received } from '../support/receiver.ts'

export interface Hooks {
  readonly url: string
  readonly received: ReadonlyMap<string, Received>
}

export async function listen(): Promise<Hooks> {
  const received = new Map<string, Received>()
  const server = createServer(async (request, response) => {
    const text = await textOf(request)
    const one = { headers: request.headers, text, event: JSON.parse(text), at: Date.now() }
    received.set(String(request.headers['webhook-id']), one)
    response.writeHead(204).end()
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  onTestFinished(() => {
    server.closeAllConnections()
    server.close()
  })
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/hooks`, received }
}

async function textOf(request: IncomingMessage): Promise<string> {
  const parts: Buffer[] = []
  for await (const part of request) parts.push(part as Buffer)
  return Buffer.concat(parts).toString()
}
