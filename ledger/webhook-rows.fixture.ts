/** Events, endpoints and deliveries in a ledger's tables in memory, as verbs and lists find them. */
import type { DeliveryStatus, EventType } from '../openapi/webhooks.ts'
import { type LedgerContext, newTally } from './context.ts'
import { mintSequencedId } from './ids.ts'
import { deliveries, events, webhookEndpoints } from './schema.ts'
import type { Db } from './store.ts'
import { standingOf } from './tenant-standing.fixture.ts'
import type { Exchanged } from './webhooks/exchange.ts'
import { healthy } from './webhooks/health.ts'

export const NOW = Date.UTC(2026, 10, 30)
const zeros = (length: number) => new Uint8Array(length)

export const contextOf = (db: Db, now = NOW) =>
  ({
    db,
    now,
    random: () => 0,
    randomBytes: zeros,
    identity: { tenantId: 'acme', shard: 0 },
    tally: newTally(),
    standing: standingOf(),
  }) as unknown as LedgerContext

export const eventId = (sequence: number, at = NOW) => mintSequencedId('evt', 0, at, sequence, zeros)
export const deliveryId = (sequence: number, at = NOW) => mintSequencedId('dlv', 0, at, sequence, zeros)

export function addEvent(
  db: Db,
  sequence: number,
  type: EventType,
  more: { at?: number; about?: string } = {},
) {
  const { at: createdAt = NOW, about: subjectId = 'job_x' } = more
  const row = {
    sequence,
    id: eventId(sequence, createdAt),
    type,
    subjectId,
    createdAt,
    body: `{"n":${sequence}}`,
  }
  db.insert(events).values(row).run()
}

export function addEndpoint(
  db: Db,
  id: string,
  more: Partial<typeof webhookEndpoints.$inferInsert> = {},
): void {
  const common = {
    url: 'https://hooks.acme.com/',
    eventTypes: ['*'],
    status: 'enabled',
    signing: 'hmac',
  } as const
  const rest = { keys: [], ordered: false, headerNames: [], health: healthy, metadata: {}, createdAt: NOW }
  db.insert(webhookEndpoints)
    .values({ ...common, eventTypes: [...common.eventTypes], ...rest, id, ...more })
    .run()
}

export function addDelivery(
  db: Db,
  eventSequence: number,
  endpointId: string,
  status: DeliveryStatus,
  dueAt: number | null = status === 'pending' ? NOW : null,
  more: Partial<typeof deliveries.$inferInsert> = {},
): void {
  const row = {
    eventSequence,
    endpointId,
    id: deliveryId(eventSequence),
    status,
    dueAt,
    tries: 3,
    attempts: [],
    ...more,
  }
  db.insert(deliveries).values(row).run()
}

/** An attempt that was answered with this status; null for no answer. */
export function answered(
  status_code: number | null,
  { at = NOW, retryAfterMs = null as number | null, error = errorOf(status_code) } = {},
): Exchanged {
  const attempt = { at, status_code, error, latency_ms: 1, response_excerpt: null, response_truncated: false }
  return { attempt, retryAfterMs }
}

const errorOf = (status: number | null): string | null => {
  if (status === null) return 'timeout'
  return status < 300 ? null : 'http_status'
}
