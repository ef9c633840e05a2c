/** Deliveries of events to webhook endpoints as customers see them, and the request for a replay. */
import { z } from '@hono/zod-openapi'
import { MomentInput, NullableTimestamp, pageOf, pageQuery, Timestamp } from './common.ts'
import { closedEnum, openEnum } from './enums.ts'
import { SubscriptionInput, subscriptions } from './webhook-endpoints.ts'
import { deliveryStatuses, eventTypes } from './webhooks.ts'

const EventTypeShown = openEnum('EventType', eventTypes, 'What an event tells.')
const EventTypeFilter = closedEnum('EventTypeFilter', eventTypes, 'Only deliveries of events of this type.')
const DeliveryStatus = openEnum(
  'DeliveryStatus',
  deliveryStatuses,
  '`pending`: attempted, or to be attempted again, by itself. `failed`: the schedule is exhausted. `held`: the endpoint is disabled. `cancelled`: it was deleted.',
)
const DeliveryStatusFilter = closedEnum(
  'DeliveryStatusFilter',
  deliveryStatuses,
  'Only deliveries with this status.',
)

export const DeliveryAttempt = z
  .object({
    at: Timestamp,
    status_code: z.int().nullable().meta({ description: 'Null when no status came.' }),
    latency_ms: z.int(),
    error: z
      .string()
      .nullable()
      .meta({ description: 'What went wrong, in one word; null for a success, and for nothing else.' }),
    response_excerpt: z
      .string()
      .nullable()
      .meta({ description: 'The start of what the receiver answered, at most 1 KiB.' }),
    response_truncated: z.boolean().meta({ description: 'There was more than the excerpt shows.' }),
  })
  .meta({ id: 'DeliveryAttempt', description: 'One attempt at a delivery, and what came of it.' })

export const Delivery = z
  .object({
    id: z.string(),
    object: z.literal('delivery'),
    event_id: z.string(),
    event_type: EventTypeShown,
    endpoint_id: z.string(),
    status: DeliveryStatus,
    attempts: z.array(DeliveryAttempt).meta({ description: 'Oldest first.' }),
    next_attempt_at: NullableTimestamp.meta({ description: 'Null unless `pending`.' }),
    created_at: Timestamp,
  })
  .meta({ id: 'Delivery', description: 'What became of one event at one endpoint.' })
export type Delivery = z.infer<typeof Delivery>

export const DeliveryPage = pageOf('DeliveryPage', Delivery)

const idFilter = (description: string) => z.string().min(1).max(64).optional().meta({ description })

export const DeliveryQuery = z.object({
  ...pageQuery,
  endpoint_id: idFilter('Only deliveries to this endpoint.'),
  status: DeliveryStatusFilter.optional(),
  event_type: EventTypeFilter.optional(),
  event_id: idFilter('Only deliveries of this event.'),
})
export type DeliveryQuery = z.infer<typeof DeliveryQuery>

export const ReplayRequest = z
  .strictObject({
    since: MomentInput.meta({ description: 'At most 30 days ago, for as long as events are kept.' }),
    until: MomentInput.optional().meta({ description: 'Default: now. Both ends are included.' }),
    event_types: z
      .array(SubscriptionInput)
      .min(1)
      .max(subscriptions.length)
      .optional()
      .meta({ description: 'Of the types that the endpoint is subscribed to, only these.' }),
    only_failed: z
      .boolean()
      .optional()
      .meta({ default: false, description: 'Only what has failed here, for good or so far, or is held.' }),
  })
  .meta({ id: 'ReplayRequest', description: 'Which events are delivered again.' })
export type ReplayRequest = z.infer<typeof ReplayRequest>

export const Replay = z
  .object({
    deliveries: z.int().meta({ description: 'How many are due now that were not before.', format: 'int32' }),
  })
  .meta({ id: 'Replay', description: 'What a replay came to.' })
