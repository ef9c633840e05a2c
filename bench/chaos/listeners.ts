/** The tenants' webhook receivers: one server, a path for each tenant. Some events are refused once, and come again. */
import { createServer } from 'node:http'
import { text as textOf } from 'node:stream/consumers'
import { onLoopback } from '../../test/support/loopback.ts'
import { chanceOf } from './chance.ts'

const REFUSED_ONCE = 0.05
const ends = ['job.result_available', 'job.failed', 'job.cancelled']
const endsOfBatches = ['batch.result_available', 'batch.failed', 'batch.expired', 'batch.cancelled']
const terminal = new Set([...ends, ...endsOfBatches])

export interface Listeners {
  urlFor(tenantId: string): string
  /** IDs of the terminal events that a tenant got of a job or a batch, as `webhook-id` says. */
  terminalEvents(tenantId: string, id: string): ReadonlySet<string>
  /** Webhooks in all, and those of them that were refused on purpose. */
  readonly counts: { received: number; refused: number }
  stop(): void
}

export async function startListeners(seed: number): Promise<Listeners> {
  const seen = new Map<string, Set<string>>()
  const refused = new Set<string>()
  const counts = { received: 0, refused: 0 }
  const server = createServer(async (request, response) => {
    const id = String(request.headers['webhook-id'])
    const { type, data } = JSON.parse(await textOf(request)) as { type: string; data: { id: string } }
    counts.received++
    const refuses = chanceOf(seed, 'refuse', id) < REFUSED_ONCE && !refused.has(id)
    if (refuses) {
      refused.add(id)
      counts.refused++
    } else if (terminal.has(type)) {
      const key = `${request.url} ${data.id}`
      seen.set(key, (seen.get(key) ?? new Set()).add(id))
    }
    response.writeHead(refuses ? 500 : 204).end()
  })
  const { origin, close } = await onLoopback(server)
  return {
    urlFor: (tenantId) => `${origin}/${tenantId}`,
    terminalEvents: (tenantId, id) => seen.get(`/${tenantId} ${id}`) ?? new Set(),
    counts,
    stop: close,
  }
}
