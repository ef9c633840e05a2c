/** Alerts: what is wrong with the service as a whole, for operators, and the endpoints of theirs that are told. */
import { z } from '@hono/zod-openapi'
import {
  type AlertEventType,
  alertEventTexts,
  alertEventTypes,
  alertStatuses,
  conditionNames,
  units,
} from './alert-words.ts'
import { NullableTimestamp, pageOf, pageQuery, Timestamp } from './common.ts'
import { closedEnum, noted, openEnum } from './enums.ts'
import { OperatorDelivery } from './operator-deliveries.ts'
import { Reason } from './ops.ts'
import { SecretRotation, settable, WebhookEndpoint, WebhookEndpointWithSecret } from './webhook-endpoints.ts'
import { pingEvent } from './webhooks.ts'

const alertFields = {
  id: z.string().meta({ example: 'alert_01kb9r2m5n000t4v7x1z3b6d8f0h' }),
  object: z.literal('alert'),
  condition: openEnum('AlertCondition', conditionNames, 'What is wrong.'),
  subject: z.string().nullable().meta({
    description:
      'Where: a model, a queue, or a part of the check; null where it is about all of the service.',
  }),
  status: openEnum('AlertStatus', alertStatuses, 'Whether the condition holds.'),
  value: z.number().meta({ description: 'What was found when it was last seen.' }),
  threshold: z.number().meta({ description: 'Above this it is a condition.' }),
  unit: openEnum('AlertUnit', units, 'Of value and threshold.'),
  opened_at: Timestamp,
  last_seen_at: Timestamp,
  resolved_at: NullableTimestamp,
  runbook: z.string().meta({
    description: 'Where the runbook says what to do.',
    example: 'docs/runbook.md#stalled_batches',
  }),
}

export const Alert = z
  .object(alertFields)
  .meta({ id: 'Alert', description: 'A condition that holds, or held, from one moment to another.' })
export type Alert = z.infer<typeof Alert>

export const AlertPage = pageOf('AlertPage', Alert)

export const AlertQuery = z.object({
  ...pageQuery,
  status: closedEnum('AlertStatusFilter', alertStatuses, 'Only alerts with this status.').optional(),
})

const AlertEventData = z
  .object({
    ...alertFields,
    sequence: z.int().meta({ description: "Grows with each of the alert's events." }),
  })
  .meta({
    id: 'AlertEventData',
    description: 'The alert as it was then. `sequence` puts its events in order.',
  })
export type AlertEventData = z.infer<typeof AlertEventData>

const alertEvent = (name: string, type: AlertEventType) =>
  z
    .object({
      id: z.string().meta({ description: 'The same in each delivery: recognise repetitions by it.' }),
      object: z.literal('event'),
      type: z.literal(type),
      timestamp: Timestamp,
      data: AlertEventData,
    })
    .meta({ id: name, description: `${alertEventTexts[type]} (\`${type}\`)` })

/** What operators' endpoints receive. */
export const alertEvents = {
  'alert.opened': alertEvent('AlertOpenedEvent', 'alert.opened'),
  'alert.reminder': alertEvent('AlertReminderEvent', 'alert.reminder'),
  'alert.resolved': alertEvent('AlertResolvedEvent', 'alert.resolved'),
  ping: pingEvent,
}

export const AlertEndpointRequest = z
  .strictObject({
    url: settable.url,
    description: settable.description.optional(),
    signing: noted(settable.signing, { default: 'hmac' }).optional(),
    headers: settable.headers.optional(),
    reason: Reason,
  })
  .meta({ id: 'AlertEndpointRequest', description: 'An endpoint to send alerts to.' })
export type AlertEndpointRequest = z.infer<typeof AlertEndpointRequest>

const endpointFields = WebhookEndpoint.pick({
  id: true,
  object: true,
  url: true,
  description: true,
  status: true,
  disabled_reason: true,
  signing: true,
  public_keys: true,
  headers: true,
  created_at: true,
}).shape

export const AlertEndpoint = z
  .object(endpointFields)
  .meta({ id: 'AlertEndpoint', description: 'Where alerts are sent.' })
export type AlertEndpoint = z.infer<typeof AlertEndpoint>

export const AlertEndpointPage = pageOf('AlertEndpointPage', AlertEndpoint)

export const AlertEndpointWithSecret = z
  .object({ ...endpointFields, secret: WebhookEndpointWithSecret.shape.secret })
  .meta({
    id: 'AlertEndpointWithSecret',
    description: 'An endpoint with its signing secret, as creation and rotation answer it.',
  })
export type AlertEndpointWithSecret = z.infer<typeof AlertEndpointWithSecret>

export const AlertEndpointRotation = z
  .strictObject({ overlap_seconds: SecretRotation.shape.overlap_seconds, reason: Reason })
  .meta({ id: 'AlertEndpointRotation', description: 'How a secret is replaced, and why.' })

export const AlertDelivery = z
  .object({
    ...OperatorDelivery.shape,
    event_type: openEnum('AlertEventType', alertEventTypes, 'What an event tells.'),
  })
  .meta({ id: 'AlertDelivery', description: 'What became of one event at one endpoint.' })
export type AlertDelivery = z.infer<typeof AlertDelivery>

export const AlertDeliveryPage = pageOf('AlertDeliveryPage', AlertDelivery)
