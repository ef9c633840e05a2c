/** Webhooks: the words that they are spoken of in, and the events that endpoints receive. */
import { z } from '@hono/zod-openapi'
import { BatchCounts, BatchStatusShown, batchUrlFields } from './batches.ts'
import { Metadata, NullableTimestamp, pageQuery, Timestamp } from './common.ts'
import { openEnum, orNull } from './enums.ts'
import { JobStatusShown, Kind } from './job-words.ts'
import { JobError } from './jobs.ts'

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

/** When each event is sent. */
export const eventTexts: Record<EventType, string> = {
  'job.accepted': 'A job is on record. It can overtake the answer to its submission.',
  'job.result_available': 'A job has succeeded: its result can be read at once.',
  'job.failed': 'A job has failed for good.',
  'job.cancelled': 'A job was cancelled.',
  'batch.accepted': 'A batch is on record. It can overtake the answer to its submission.',
  'batch.result_available': 'A batch has completed, wholly or in part: its results can be read at once.',
  'batch.failed': 'A batch has failed: none of its items has an output.',
  'batch.expired': 'A batch has reached its deadline before all of its items had a result.',
  'batch.cancelled': 'A batch was cancelled.',
  'webhook_endpoint.failing': 'Another of your endpoints answers nothing but failures.',
  'webhook_endpoint.disabled': 'Another of your endpoints was disabled.',
  ping: 'You asked for a test of the endpoint. Sent to that endpoint alone, and not kept.',
}

export const signings = ['hmac', 'ed25519', 'both'] as const
export type Signing = (typeof signings)[number]

/** Why an endpoint is disabled: it answered 410, it only failed for days, or its owner wanted it. */
export const disabledReasons = ['gone', 'failing', 'requested'] as const
export type DisabledReason = (typeof disabledReasons)[number]

export const deliveryStatuses = ['pending', 'delivered', 'failed', 'held', 'cancelled'] as const
export type DeliveryStatus = (typeof deliveryStatuses)[number]

export const EndpointStatus = openEnum(
  'WebhookEndpointStatus',
  ['enabled', 'disabled'],
  'Whether webhooks are sent to it; what is to be delivered to a disabled one is held.',
)
export const DisabledReasonShown = openEnum(
  'WebhookEndpointDisabledReason',
  disabledReasons,
  '`gone`: it answered 410. `failing`: for days it answered nothing but failures. `requested`: you wanted it.',
)

export const PageQuery = z.object(pageQuery)

const ownPairs = (subject: 'job' | 'batch') => ({
  metadata: Metadata,
  metadata_omitted: z
    .literal(true)
    .optional()
    .meta({
      description: `There where the metadata would have made the event too large: read the ${subject} for it.`,
    }),
})

const jobData = {
  id: z.string().meta({ description: 'Of the job.' }),
  object: z.literal('job'),
  kind: Kind,
  status: JobStatusShown,
  sequence: z.int().meta({ description: "Grows with each of the job's events." }),
  status_url: z.string().meta({ format: 'uri' }),
  result_url: z.string().meta({ format: 'uri' }),
  ...ownPairs('job'),
  redrive_of: z.string().nullable(),
}

const eventOf = <D extends z.ZodType>(name: string, type: EventType, data: D) =>
  z
    .object({
      id: z.string().meta({ description: 'The same in each delivery: recognise repetitions by it.' }),
      object: z.literal('event'),
      type: z.literal(type),
      timestamp: Timestamp,
      data,
    })
    .meta({ id: name, description: `${eventTexts[type]} (\`${type}\`)` })

const jobEventData = z
  .object(jobData)
  .meta({ id: 'JobEventData', description: 'The job as it was then. `sequence` puts its events in order.' })
const jobFailedData = z
  .object({ ...jobData, error: JobError })
  .meta({ id: 'JobFailedEventData', description: 'The job that failed, and of what.' })

/** The job events; each type is one schema. */
export const jobEvents = {
  'job.accepted': eventOf('JobAcceptedEvent', 'job.accepted', jobEventData),
  'job.result_available': eventOf('JobResultAvailableEvent', 'job.result_available', jobEventData),
  'job.failed': eventOf('JobFailedEvent', 'job.failed', jobFailedData),
  'job.cancelled': eventOf('JobCancelledEvent', 'job.cancelled', jobEventData),
}

const batchData = z
  .object({
    id: z.string().meta({ description: 'Of the batch.' }),
    object: z.literal('batch'),
    kind: Kind,
    status: BatchStatusShown,
    sequence: z.int().meta({ description: "Grows with each of the batch's events." }),
    counts: BatchCounts,
    ...batchUrlFields,
    ...ownPairs('batch'),
  })
  .meta({
    id: 'BatchEventData',
    description: 'The batch as it was then. `sequence` puts its events in order.',
  })

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
    id: z.string().meta({ description: 'Of the endpoint that it is about.' }),
    object: z.literal('webhook_endpoint'),
    status: EndpointStatus,
    disabled_reason: orNull(DisabledReasonShown),
    sequence: z.int().meta({ description: "Grows with each of the endpoint's events." }),
    failing_since: NullableTimestamp.meta({
      description: 'Of the first failure after the last success; null where nothing failed.',
    }),
    last_error: z.string().nullable().meta({ description: 'What went wrong last, in one word.' }),
  })
  .meta({
    id: 'WebhookEndpointEventData',
    description: 'The endpoint as it was then, told to your other endpoints.',
  })

const pingData = z
  .object({ id: z.string(), object: z.literal('webhook_endpoint') })
  .meta({ id: 'PingData', description: 'The endpoint that is tested.' })

export const pingEvent = eventOf('PingEvent', 'ping', pingData)

/** Every event that tenants are sent; each type is one schema. */
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
  ping: pingEvent,
}

/** Headers of every webhook (Standard Webhooks 1.0.0). */
export const WebhookHeaders = z.object({
  'webhook-id': z.string().meta({
    description: "The event's ID: the same at every attempt and replay.",
    example: 'evt_01kb9ka0e8000000002b3n0v7x5c',
  }),
  'webhook-timestamp': z.string().meta({
    description: 'When this attempt was made, in whole seconds since the epoch.',
    example: '1796000000',
  }),
  'webhook-signature': z.string().meta({
    description:
      'Signatures over `id.timestamp.body`, with spaces between: `v1,` HMAC-SHA256 and `v1a,` Ed25519, one for each secret or key pair that is valid.',
    example: 'v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE=',
  }),
})
