/** The line that the log gets of each attempt: what it was, and how it went. */
import type { DueDelivery } from '../ledger/deliveries.ts'
import { log } from '../ledger/log.ts'
import type { DeliveryAttempt } from '../ledger/schema.ts'

export const tell = (
  tenantId: string,
  endpointId: string,
  { eventId, tries, createdAt }: DueDelivery,
  { at, status_code, error, latency_ms }: DeliveryAttempt,
) =>
  log('webhook.attempted', {
    tenant_id: tenantId,
    endpoint_id: endpointId,
    event_id: eventId,
    attempt: tries + 1,
    after_ms: at - createdAt,
    status_code,
    error,
    latency_ms,
  })
