/** Deliveries as the API shows them. */
import type { DeliverySnapshot } from '../../ledger/delivery-lists.ts'
import { timeOf } from '../../ledger/ids.ts'
import { nullableTimestamp, timestamp } from '../../ledger/wire.ts'
import type { Delivery } from '../../openapi/deliveries.ts'
import type { OperatorDelivery } from '../../openapi/operator-deliveries.ts'

export const deliveryView = (delivery: DeliverySnapshot): Delivery => ({
  id: delivery.id,
  object: 'delivery',
  event_id: delivery.eventId,
  event_type: delivery.eventType,
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
