/** A webhook receiver that answers 204 and remembers how many events it had of each job. */
import { createServer } from 'node:http'
import { text as textOf } from 'node:stream/consumers'
import { setTimeout as sleep } from 'node:timers/promises'
import { onLoopback } from '../../test/support/loopback.ts'

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
  const { origin, close } = await onLoopback(server)
  return {
    url: `${origin}/hooks`,
    async waitFor(jobId, events, timeoutMs) {
      const until = Date.now() + timeoutMs
      while ((seen.get(jobId)?.size ?? 0) < events) {
        if (Date.now() > until) throw new Error(`${jobId}: fewer than ${events} webhooks in ${timeoutMs} ms.`)
        await sleep(POLL_MS)
      }
    },
    stop: close,
  }
}
