/** A customer's webhook receiver: plain HTTP on this machine, each delivery verified with the package `standardwebhooks`. */
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { Webhook } from 'standardwebhooks'
import { eventually } from './claim.ts'

export interface WebhookEvent {
  readonly id: string
  readonly type: string
  readonly timestamp: string
  readonly data: {
    readonly id: string
    readonly kind: string
    readonly status: string
    readonly sequence: number
    readonly result_url?: string
    readonly results_url?: string
    readonly counts?: Readonly<Record<string, number>>
    readonly error?: { readonly class: string; readonly message: string; readonly retryable: boolean }
  }
}

export interface Delivery {
  readonly event: WebhookEvent
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
      const event = new Webhook(this.secret).verify(body, headers) as WebhookEvent
      this.deliveries.push({ event, headers, body })
      response.writeHead(204).end()
    } catch {
      this.refused += 1
      response.writeHead(400).end()
    }
  }

  /** `id`: of the job or batch that the event is about. */
  delivered(type: string, id: string): Promise<Delivery> {
    const wanted = ({ event }: Delivery) => event.type === type && event.data.id === id
    return eventually(`${type} of ${id} arrives`, 30, () => this.deliveries.find(wanted) ?? null)
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
