/**
 * A customer's webhook receiver: a real HTTP server that answers as told and keeps what came. The spec fails of a webhook that is not
 * as the document describes it.
 */
import { createServer, type IncomingHttpHeaders, type Server } from 'node:http'
import { text as textOf } from 'node:stream/consumers'
import { expect, onTestFinished } from 'vitest'
import { webhookFaults } from './conformance/webhook.ts'
import { onLoopback } from './loopback.ts'
import { until } from './wait.ts'

export interface WebhookEvent {
  readonly id: string
  readonly type: string
  readonly timestamp: string
  readonly data: { id: string; status: string; sequence: number; error?: { class: string } }
}

export interface Received {
  readonly headers: IncomingHttpHeaders
  readonly text: string
  readonly event: WebhookEvent
  readonly at: number
}

interface Answer {
  readonly status: number
  readonly headers?: Record<string, string>
  readonly body?: string
}

/** What to answer the nth request with (from 0): a status, with headers or without; null never answers. */
type Answering = (nth: number) => number | Answer | null

export class Receiver {
  readonly received: Received[] = []
  /** What was not as described. */
  readonly faults: string[] = []
  readonly url: string

  constructor(url: string) {
    this.url = url
  }

  /** The first event of this type, once it has come. */
  event(type: string, timeoutMs?: number): Promise<Received> {
    return until(`webhook ${type}`, () => this.received.find(({ event }) => event.type === type), timeoutMs)
  }

  /** What has come, once there are this many. */
  arrived(count: number, timeoutMs?: number): Promise<Received[]> {
    return until(`${count} webhooks`, () => this.received.length >= count && this.received, timeoutMs)
  }
}

/** Starts a receiver for one spec. */
export async function newReceiver(answering: Answering = () => 204): Promise<Receiver> {
  const server = createServer()
  const { origin, close } = await onLoopback(server)
  onTestFinished(close)
  const receiver = new Receiver(`${origin}/hooks`)
  onTestFinished(() => expect(receiver.faults).toEqual([]))
  keepWhatComes(server, receiver, answering)
  return receiver
}

function keepWhatComes(server: Server, receiver: Receiver, answering: Answering): void {
  server.on('request', async (request, response) => {
    const text = await textOf(request)
    receiver.faults.push(...webhookFaults(request.headers, text))
    const answer = answering(receiver.received.length)
    receiver.received.push({ headers: request.headers, text, event: JSON.parse(text), at: Date.now() })
    if (answer === null) return
    const { status, headers = {}, body }: Answer = typeof answer === 'number' ? { status: answer } : answer
    response.writeHead(status, headers).end(body)
  })
}
