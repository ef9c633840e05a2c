/** Afterwards, when nothing is measured any more: whether each event came, signed, as it is on record, under one ID of its own. */
import { setTimeout as sleep } from 'node:timers/promises'
import { Webhook } from 'standardwebhooks'
import { inLedger } from '../chaos/ledgers.ts'
import type { Workerd } from '../support/workerd.ts'
import type { Listener } from './listener.ts'
import type { Received } from './receivers.ts'

const POLL_MS = 100
const TIMEOUT_MS = 20_000

interface EventRow {
  readonly id: string
  readonly body: string
}

export interface Verified {
  readonly events: number
  /** Webhooks beyond the first of an event: allowed, but nothing here gives cause for one. */
  readonly repeats: number
}

/** Throws when an event that the listener is owed is missing, unsigned, altered, or when it got anything else. */
export async function verify(
  workerd: Workerd,
  { tenantId, endpointId, path, secret }: Listener,
  received: readonly Received[],
): Promise<Verified> {
  const owed = await owedTo(workerd, tenantId, endpointId)
  const mine = received.filter((one) => one.path === path)
  const webhook = new Webhook(secret)
  for (const one of mine) {
    webhook.verify(one.text, headersOf(one))
    if (owed.get(one.id) !== one.text)
      throw new Error(`${one.id} came, and is no event of ${tenantId} as it stands.`)
    if ((JSON.parse(one.text) as { id: unknown }).id !== one.id)
      throw new Error(`${one.id} tells another event.`)
  }
  const seen = new Set(mine.map(({ id }) => id))
  const missing = [...owed.keys()].filter((id) => !seen.has(id))
  if (missing.length > 0) throw new Error(`${missing.length} events did not come, such as ${missing[0]}.`)
  return { events: owed.size, repeats: mine.length - seen.size }
}

const headersOf = ({ id, timestamp, signature }: Received) => ({
  'webhook-id': id,
  'webhook-timestamp': timestamp,
  'webhook-signature': signature,
})

/** Bodies of the events that have a delivery to the endpoint, by ID, once all of these are delivered in the ledger's eyes. */
async function owedTo(workerd: Workerd, tenantId: string, endpointId: string): Promise<Map<string, string>> {
  const owing = `from deliveries where endpoint_id = '${endpointId}'`
  const until = Date.now() + TIMEOUT_MS
  for (;;) {
    const [open] = await inLedger<{ n: number }>(
      workerd,
      tenantId,
      `select count(*) as n ${owing} and status <> 'delivered'`,
    )
    if (open?.n === 0) break
    if (Date.now() > until) throw new Error(`${open?.n} deliveries of ${tenantId} are not on record as made.`)
    await sleep(POLL_MS)
  }
  const rows = await inLedger<EventRow>(
    workerd,
    tenantId,
    `select id, body from events where sequence in (select event_sequence ${owing})`,
  )
  return new Map(rows.map(({ id, body }) => [id, body]))
}
