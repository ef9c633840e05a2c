/** A customer's webhook receiver: plain HTTP on this machine, each delivery verified with the package `standardwebhooks` and the SDK. */
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { Webhook } from 'standardwebhooks'
import { verifyWebhook, type WebhookEvent } from '../../sdk/src/index.ts'
import { eventually } from './claim.ts'

type EventOf<T extends WebhookEvent['type']> = Extract<WebhookEvent, { type: T }>

export interface Delivery<E extends WebhookEvent = WebhookEvent> {
  readonly event: E
  readonly headers: Record<string, string>
  readonly body: string
}

export class Receiver {
  /** The endpoint's secret, as soon as it is known. */
  secret = ''
  /** In the order of their arrival, verified ones only. */
  readonly deliveries: Delivery[] = []
  refused = 0
  readonly #server = createServer((request, response) => this.#take(request, response))

  /** Starts to listen; the URL to deliver to. */
  async listen(): Promise<string> {
    await new Promise<void>((resolve) => this.#server.listen(0, '127.0.0.1', resolve))
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}/hooks`
  }

  async #take(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const { headers, body } = await read(request)
    try {
      new Webhook(this.secret).verify(body, headers)
      const event = await verifyWebhook(body, headers, this.secret)
      this.deliveries.push({ event, headers, body })
      response.writeHead(204).end()
    } catch {
      this.refused += 1
      response.writeHead(400).end()
    }
  }

  /** `id`: of the job or batch that the event is about. */
  delivered<T extends WebhookEvent['type']>(type: T, id: string): Promise<Delivery<EventOf<T>>> {
    const wanted = ({ event }: Delivery) => event.type === type && event.data.id === id
    const find = () => (this.deliveries.find(wanted) as Delivery<EventOf<T>> | undefined) ?? null
    return eventually(`${type} of ${id} arrives`, 30, find)
  }

  close(): void {
    this.#server.close().closeAllConnections()
  }
}

async function read(request: IncomingMessage): Promise<{ headers: Record<string, string>; body: string }> {
  const parts: Buffer[] = []
  for await (const part of request) parts.push(part as Buffer)
  const single = Object.entries(request.headers).map(([name, value]) => [name, String(value)])
  return {
    headers: Object.fromEntries(single) as Record<string, string>,
    body: Buffer.concat(parts).toString(),
  }
}
