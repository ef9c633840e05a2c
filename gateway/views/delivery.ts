/** Deliveries as the API shows them. */
import type { DeliverySnapshot } from '../../ledger/delivery-lists.ts'
import { timeOf } from '../../ledger/ids.ts'
import { nullableTimestamp, timestamp } from '../../ledger/wire.ts'
import type { Delivery } from '../../openapi/deliveries.ts'
import type { OperatorDelivery } from '../../openapi/operator-deliveries.ts'

/** Of a tenant's ledger, which tells no other events than the document names; the gate would see to it. */
export const deliveryView = (delivery: DeliverySnapshot): Delivery => ({
  id: delivery.id,
  object: 'delivery',
  event_id: delivery.eventId,
  event_type: delivery.eventType as Delivery['event_type'],
  endpoint_id: delivery.endpointId,
  status: delivery.status,
  attempts: delivery.attempts.map((attempt) => ({ ...attempt, at: timestamp(attempt.at) })),
  next_attempt_at: nullableTimestamp(delivery.nextAttemptAt),
  created_at: timestamp(timeOf(delivery.id)),
})

/** For operators: without what the receiver answered. */
export function operatorDeliveryView(delivery: DeliverySnapshot): OperatorDelivery {
  const attempts = delivery.attempts.map(({ at, status_code, latency_ms, error }) => ({
    at: timestamp(at),
    status_code,
    latency_ms,
    error,
  }))
  return { ...deliveryView({ ...delivery, attempts: [] }), attempts }
}
