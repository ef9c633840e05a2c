/** Deliveries of events to webhook endpoints as customers see them, and the request for a replay. */
import { z } from '@hono/zod-openapi'
import { NullableTimestamp, pageOf, pageQuery, Timestamp } from './common.ts'
import { subscriptions } from './webhook-endpoints.ts'
import { deliveryStatuses, eventTypes } from './webhooks.ts'

const DELIVERY = 'dlv_01kb9ka0e8000000002b8q4mz1t0'
const EVENT = 'evt_01kb9ka0e8000000002b3n0v7x5c'
const ENDPOINT = 'we_01kb9k7f2m004x9d1s6w8z3q5r7h'

export const DeliveryAttempt = z
  .object({
    at: Timestamp,
    status_code: z.int().nullable().openapi({ description: 'Null when no status came.' }),
    latency_ms: z.int(),
    error: z
      .string()
      .nullable()
      .openapi({ description: 'What went wrong, in one word; null for a success, and for nothing else.' }),
    response_excerpt: z
      .string()
      .nullable()
      .openapi({ description: 'The start of what the receiver answered, at most 1 KiB.' }),
    response_truncated: z.boolean().openapi({ description: 'There was more than the excerpt shows.' }),
  })
  .openapi('DeliveryAttempt')

export const Delivery = z
  .object({
    id: z.string(),
    object: z.literal('delivery'),
    event_id: z.string(),
    event_type: z.enum(eventTypes),
    endpoint_id: z.string(),
    status: z.enum(deliveryStatuses).openapi({
      description:
        '`pending`: attempted, or to be attempted again, by itself. `failed`: the schedule is exhausted. `held`: the endpoint is disabled. `cancelled`: it was deleted.',
    }),
    attempts: z.array(DeliveryAttempt),
    next_attempt_at: NullableTimestamp.openapi({ description: 'Null unless `pending`.' }),
    created_at: Timestamp,
  })
  .openapi('Delivery', {
    example: {
      id: DELIVERY,
      object: 'delivery',
      event_id: EVENT,
      event_type: 'job.result_available',
      endpoint_id: ENDPOINT,
      status: 'pending',
      attempts: [
        {
          at: '2026-11-29T10:00:00.120Z',
          status_code: 503,
          latency_ms: 87,
          error: 'http_status',
          response_excerpt: 'Back soon.',
          response_truncated: false,
        },
      ],
      next_attempt_at: '2026-11-29T10:00:05.300Z',
      created_at: '2026-11-29T10:00:00.000Z',
    },
  })
export type Delivery = z.infer<typeof Delivery>

export const DeliveryPage = pageOf('DeliveryPage', Delivery)

const id = z.string().min(1).max(64).optional()

export const DeliveryQuery = z.object({
  ...pageQuery,
  endpoint_id: id,
  status: z.enum(deliveryStatuses).optional(),
  event_type: z.enum(eventTypes).optional(),
  event_id: id,
})
export type DeliveryQuery = z.infer<typeof DeliveryQuery>

const moment = z.iso.datetime({ offset: true }).openapi({ format: 'date-time' })

export const ReplayRequest = z
  .strictObject({
    since: moment.openapi({ description: 'At most 30 days ago, for as long as events are kept.' }),
    until: moment.optional().openapi({ description: 'Default: now. Both ends are included.' }),
    event_types: z
      .array(z.enum(subscriptions))
      .min(1)
      .max(subscriptions.length)
      .optional()
      .openapi({ description: 'Of the types that the endpoint is subscribed to, only these.' }),
    only_failed: z
      .boolean()
      .optional()
      .openapi({ default: false, description: 'Only what has failed here, for good or so far, or is held.' }),
  })
  .openapi('ReplayRequest', {
    example: { since: '2026-11-29T08:00:00Z', until: '2026-11-29T12:00:00Z', event_types: ['job.*'] },
  })
export type ReplayRequest = z.infer<typeof ReplayRequest>

export const Replay = z
  .object({
    deliveries: z
      .int()
      .openapi({ description: 'How many are due now that were not before.', format: 'int32' }),
  })
  .openapi('Replay', { example: { deliveries: 118 } })
