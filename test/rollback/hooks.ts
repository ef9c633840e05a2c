/** A receiver that keeps each webhook once, by its ID, however often it comes. */
import { createServer } from 'node:http'
import { text as textOf } from 'node:stream/consumers'
import { onTestFinished } from 'vitest'
import { onLoopback } from '../support/loopback.ts'
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
  const { origin, close } = await onLoopback(server)
  onTestFinished(close)
  return { url: `${origin}/hooks`, received }
}
