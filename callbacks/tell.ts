/**
 * The line that the log gets of an attempt: what it was, and how it went. What gets through at once is the rule; it is on record with its
 * delivery and counted, and a line for each would be the dearest thing about it after its rows.
 */
import type { DueDelivery } from '../ledger/deliveries.ts'
import { log } from '../ledger/log.ts'
import type { DeliveryAttempt } from '../ledger/schema.ts'

export function tell(
  tenantId: string,
  endpointId: string,
  { eventId, tries, createdAt }: DueDelivery,
  { at, status_code, error, latency_ms }: DeliveryAttempt,
): void {
  if (error === null && tries === 0) return
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
}
