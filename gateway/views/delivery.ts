/** Deliveries as the API shows them. */
import type { DeliverySnapshot } from '../../ledger/delivery-lists.ts'
import { timeOf } from '../../ledger/ids.ts'
import { nullableTimestamp, timestamp } from '../../ledger/wire.ts'
import type { AlertDelivery } from '../../openapi/alerts.ts'
import type { Delivery } from '../../openapi/deliveries.ts'
import type { OperatorDelivery } from '../../openapi/operator-deliveries.ts'

const common = (delivery: DeliverySnapshot) => ({
  id: delivery.id,
  object: 'delivery' as const,
  event_id: delivery.eventId,
  endpoint_id: delivery.endpointId,
  status: delivery.status,
  next_attempt_at: nullableTimestamp(delivery.nextAttemptAt),
  created_at: timestamp(timeOf(delivery.id)),
})

/** What a ledger tells is of one family or the other, by whose it is; that it is, the gate sees to. */
const ofTenant = ({ eventType }: DeliverySnapshot) => eventType as Delivery['event_type']
const ofOperators = ({ eventType }: DeliverySnapshot) => eventType as AlertDelivery['event_type']

export const deliveryView = (delivery: DeliverySnapshot): Delivery => ({
  ...common(delivery),
  event_type: ofTenant(delivery),
  attempts: delivery.attempts.map((attempt) => ({ ...attempt, at: timestamp(attempt.at) })),
})

/** Without what the receiver answered. */
const bareAttempts = ({ attempts }: DeliverySnapshot) =>
  attempts.map(({ at, status_code, latency_ms, error }) => ({
    at: timestamp(at),
    status_code,
    latency_ms,
    error,
  }))

/** A tenant's, for operators. */
export const operatorDeliveryView = (delivery: DeliverySnapshot): OperatorDelivery => ({
  ...common(delivery),
  event_type: ofTenant(delivery),
  attempts: bareAttempts(delivery),
})

/** To operators' own endpoints. */
export const alertDeliveryView = (delivery: DeliverySnapshot): AlertDelivery => ({
  ...common(delivery),
  event_type: ofOperators(delivery),
  attempts: bareAttempts(delivery),
})
