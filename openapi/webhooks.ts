/** Webhooks: the words that they are spoken of in, and the events that endpoints receive. */
import { z } from '@hono/zod-openapi'
import { kindNames } from '../catalog/kind.ts'
import { batchStatuses } from './batch-states.ts'
import { BatchCounts, batchUrlFields } from './batches.ts'
import { Metadata, NullableTimestamp, pageQuery, Timestamp } from './common.ts'
import { JobError, jobStatuses } from './jobs.ts'

export const eventTypes = [
  'job.accepted',
  'job.result_available',
  'job.failed',
  'job.cancelled',
  'batch.accepted',
  'batch.result_available',
  'batch.failed',
  'batch.expired',
  'batch.cancelled',
  'webhook_endpoint.failing',
  'webhook_endpoint.disabled',
  'ping',
] as const
export type EventType = (typeof eventTypes)[number]

export const signings = ['hmac', 'ed25519', 'both'] as const
export type Signing = (typeof signings)[number]

/** Why an endpoint is disabled: it answered 410, it only failed for days, or its owner wanted it. */
export const disabledReasons = ['gone', 'failing', 'requested'] as const
export type DisabledReason = (typeof disabledReasons)[number]

export const deliveryStatuses = ['pending', 'delivered', 'failed', 'held', 'cancelled'] as const
export type DeliveryStatus = (typeof deliveryStatuses)[number]

export const PageQuery = z.object(pageQuery)

const ownPairs = (subject: 'job' | 'batch') => ({
  metadata: Metadata,
  metadata_omitted: z
    .literal(true)
    .optional()
    .openapi({
      description: `There where the metadata would have made the event too large: read the ${subject} for it.`,
    }),
})

const jobData = {
  id: z.string(),
  object: z.literal('job'),
  kind: z.enum(kindNames),
  status: z.enum(jobStatuses),
  sequence: z.int().openapi({ description: "Grows with each of the job's events." }),
  status_url: z.string().openapi({ format: 'uri' }),
  result_url: z.string().openapi({ format: 'uri' }),
  ...ownPairs('job'),
  redrive_of: z.string().nullable(),
}

const eventOf = <D extends z.ZodType>(name: string, type: EventType, data: D) =>
  z
    .object({ id: z.string(), object: z.literal('event'), type: z.literal(type), timestamp: Timestamp, data })
    .openapi(name)

/** The job events; each type is one schema. */
export const jobEvents = {
  'job.accepted': eventOf('JobAcceptedEvent', 'job.accepted', z.object(jobData).openapi('JobEventData')),
  'job.result_available': eventOf('JobResultAvailableEvent', 'job.result_available', z.object(jobData)),
  'job.failed': eventOf(
    'JobFailedEvent',
    'job.failed',
    z.object({ ...jobData, error: JobError }).openapi('JobFailedData'),
  ),
  'job.cancelled': eventOf('JobCancelledEvent', 'job.cancelled', z.object(jobData)),
}

const batchData = z
  .object({
    id: z.string(),
    object: z.literal('batch'),
    kind: z.enum(kindNames),
    status: z.enum(batchStatuses),
    sequence: z.int().openapi({ description: "Grows with each of the batch's events." }),
    counts: BatchCounts,
    ...batchUrlFields,
    ...ownPairs('batch'),
  })
  .openapi('BatchEventData')

/** The batch events; `batch.result_available` for a batch that completed, wholly or partly. */
export const batchEvents = {
  'batch.accepted': eventOf('BatchAcceptedEvent', 'batch.accepted', batchData),
  'batch.result_available': eventOf('BatchResultAvailableEvent', 'batch.result_available', batchData),
  'batch.failed': eventOf('BatchFailedEvent', 'batch.failed', batchData),
  'batch.expired': eventOf('BatchExpiredEvent', 'batch.expired', batchData),
  'batch.cancelled': eventOf('BatchCancelledEvent', 'batch.cancelled', batchData),
}

const endpointData = z
  .object({
    id: z.string(),
    object: z.literal('webhook_endpoint'),
    status: z.enum(['enabled', 'disabled']),
    disabled_reason: z.enum(disabledReasons).nullable(),
    sequence: z.int().openapi({ description: "Grows with each of the endpoint's events." }),
    failing_since: NullableTimestamp.openapi({
      description: 'Of the first failure after the last success; null where nothing failed.',
    }),
    last_error: z.string().nullable().openapi({ description: 'What went wrong last, in one word.' }),
  })
  .openapi('WebhookEndpointEventData')

const pingData = z
  .object({ id: z.string(), object: z.literal('webhook_endpoint') })
  .openapi('PingData', { description: 'The endpoint that is tested.' })

/** Every event that is sent; each type is one schema. */
export const webhookEvents = {
  ...jobEvents,
  ...batchEvents,
  'webhook_endpoint.failing': eventOf(
    'WebhookEndpointFailingEvent',
    'webhook_endpoint.failing',
    endpointData,
  ),
  'webhook_endpoint.disabled': eventOf(
    'WebhookEndpointDisabledEvent',
    'webhook_endpoint.disabled',
    endpointData,
  ),
  ping: eventOf('PingEvent', 'ping', pingData),
}

/** Headers of every webhook (Standard Webhooks 1.0.0). */
export const WebhookHeaders = z.object({
  'webhook-id': z.string().openapi({
    description: "The event's ID: the same at every attempt and replay.",
    example: 'evt_01jd0000000000000000000000000',
  }),
  'webhook-timestamp': z.string().openapi({
    description: 'When this attempt was made, in whole seconds since the epoch.',
    example: '1796000000',
  }),
  'webhook-signature': z.string().openapi({
    description:
      'Signatures over `id.timestamp.body`, with spaces between: `v1,` HMAC-SHA256 and `v1a,` Ed25519, one for each secret or key pair that is valid.',
    example: 'v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE=',
  }),
})
