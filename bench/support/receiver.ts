/** A webhook receiver that answers 204 and remembers how many events it had of each job. */
import { createServer, type IncomingMessage } from 'node:http'
import type { AddressInfo } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'

const POLL_MS = 5

export interface Receiver {
  readonly url: string
  /** Resolves once so many different events of this job are in. */
  waitFor(jobId: string, events: number, timeoutMs: number): Promise<void>
  stop(): void
}

export async function startReceiver(): Promise<Receiver> {
  const seen = new Map<string, Set<string>>()
  const server = createServer(async (request, response) => {
    const { id, data } = JSON.parse(await textOf(request)) as { id: string; data: { id: string } }
    seen.set(data.id, (seen.get(data.id) ?? new Set()).add(id))
    response.writeHead(204).end()
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  return {
    url: `http://127.0.0.1:${port}/hooks`,
    async waitFor(jobId, events, timeoutMs) {
      const until = Date.now() + timeoutMs
      while ((seen.get(jobId)?.size ?? 0) < events) {
        if (Date.now() > until) throw new Error(`${jobId}: fewer than ${events} webhooks in ${timeoutMs} ms.`)
        await sleep(POLL_MS)
      }
    },
    stop() {
      server.closeAllConnections()
      server.close()
    },
  }
}

async function textOf(request: IncomingMessage): Promise<string> {
  const parts: Buffer[] = []
  for await (const part of request) parts.push(part as Buffer)
  return Buffer.concat(parts).toString()
}
