/** Webhook endpoints, and the events that they receive. */
import { z } from '@hono/zod-openapi'
import { kindNames } from '../catalog/kind.ts'
import { Metadata, MetadataInput, pageOf, pageQuery, Timestamp } from './common.ts'
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

/** What an endpoint may subscribe to: event names, a family of them, or all. */
export const subscriptions = [...eventTypes, 'job.*', 'batch.*', '*'] as const

export const WebhookEndpointRequest = z
  .strictObject({
    url: z.string().min(1).max(2048).openapi({ format: 'uri', example: 'https://example.com/hooks/ai' }),
    event_types: z
      .array(z.enum(subscriptions))
      .min(1)
      .max(subscriptions.length)
      .optional()
      .openapi({ default: ['*'] }),
    description: z.string().max(500).optional(),
    metadata: MetadataInput.optional(),
  })
  .openapi('WebhookEndpointRequest')

export const WebhookEndpoint = z
  .object({
    id: z.string().openapi({ example: 'we_01jd0000000000000000000000000' }),
    object: z.literal('webhook_endpoint'),
    url: z.string().openapi({ format: 'uri' }),
    event_types: z.array(z.string()),
    description: z.string().nullable(),
    status: z.enum(['enabled', 'disabled']),
    disabled_reason: z.enum(disabledReasons).nullable(),
    signing: z.enum(signings),
    public_keys: z.array(z.string()),
    ordered: z.boolean(),
    max_per_second: z.int().nullable(),
    headers: z.array(z.string()).openapi({ description: 'Names only; values are never shown.' }),
    metadata: Metadata,
    created_at: Timestamp,
  })
  .openapi('WebhookEndpoint')
export type WebhookEndpoint = z.infer<typeof WebhookEndpoint>

export const CreatedWebhookEndpoint = z
  .object({
    ...WebhookEndpoint.shape,
    secret: z
      .string()
      .nullable()
      .openapi({ description: 'The signing secret, `whsec_…`; shown here only, and null in a replay.' }),
  })
  .openapi('CreatedWebhookEndpoint')

export const WebhookEndpointPage = pageOf('WebhookEndpointPage', WebhookEndpoint)
export const PageQuery = z.strictObject(pageQuery)

const jobData = {
  id: z.string(),
  object: z.literal('job'),
  kind: z.enum(kindNames),
  status: z.enum(jobStatuses),
  sequence: z.int().openapi({ description: "Grows with each of the job's events." }),
  status_url: z.string().openapi({ format: 'uri' }),
  result_url: z.string().openapi({ format: 'uri' }),
  metadata: Metadata,
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
