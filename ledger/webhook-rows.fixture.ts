/** Events, endpoints and deliveries in a ledger's tables in memory, as verbs and lists find them. */
import type { DeliveryStatus, EventType } from '../openapi/webhooks.ts'
import type { LedgerContext } from './context.ts'
import { mintSequencedId } from './ids.ts'
import { deliveries, events, webhookEndpoints } from './schema.ts'
import type { Db } from './store.ts'
import { healthy } from './webhooks/health.ts'

export const NOW = Date.UTC(2026, 10, 30)
const zeros = (length: number) => new Uint8Array(length)

export const contextOf = (db: Db, now = NOW) =>
  ({ db, now, identity: { tenantId: 'acme', shard: 0 }, randomBytes: zeros }) as unknown as LedgerContext

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
): void {
  const row = {
    eventSequence,
    endpointId,
    id: deliveryId(eventSequence),
    status,
    dueAt,
    tries: 3,
    attempts: [],
  }
  db.insert(deliveries).values(row).run()
}
