/** Alerts: what is wrong with the service as a whole, for operators, and the endpoints of theirs that are told. */
import { z } from '@hono/zod-openapi'
import { NullableTimestamp, pageOf, pageQuery, Timestamp } from './common.ts'
import { closedEnum, noted, openEnum } from './enums.ts'
import { OperatorDelivery } from './operator-deliveries.ts'
import { Reason } from './ops.ts'
import { SecretRotation, settable, WebhookEndpoint, WebhookEndpointWithSecret } from './webhook-endpoints.ts'
import { type EventType, pingEvent } from './webhooks.ts'

const units = ['seconds', 'count', 'ratio'] as const
export type Unit = (typeof units)[number]

/** What an alert can be about, each with the unit of its value. `docs/alerts.md` says what each means. */
export const conditionUnits = {
  oldest_waiting_job: 'seconds',
  oldest_unfinished_job: 'seconds',
  jobs_past_deadline: 'count',
  stalled_batches: 'count',
  oldest_open_dead_letter: 'seconds',
  expiry_rate: 'ratio',
  failure_rate: 'ratio',
  provider_refusals: 'count',
  webhook_failure_rate: 'ratio',
  queue_backlog_age: 'seconds',
  silent_ledger: 'seconds',
  check_incomplete: 'count',
} as const satisfies Record<string, Unit>
export type ConditionName = keyof typeof conditionUnits
export const conditionNames = Object.keys(conditionUnits) as [ConditionName, ...ConditionName[]]

export const alertEventTexts = {
  'alert.opened': 'A condition holds that operators should know of.',
  'alert.reminder':
    'It still holds, some time after it was last told of: a day, unless configured otherwise.',
  'alert.resolved': 'It has not held for some minutes.',
} as const
export type AlertEventType = keyof typeof alertEventTexts
export const alertEventTypes = Object.keys(alertEventTexts) as [AlertEventType, ...AlertEventType[]]

/** Everything that a ledger may tell: a tenant's tells its tenant, the operators' tells operators. */
export type AnyEventType = EventType | AlertEventType

export const alertStatuses = ['open', 'resolved'] as const
export type AlertStatus = (typeof alertStatuses)[number]

const alertFields = {
  id: z.string().openapi({ example: 'alert_01kb9r2m5n000t4v7x1z3b6d8f0h' }),
  object: z.literal('alert'),
  condition: openEnum('AlertCondition', conditionNames, 'What is wrong.'),
  subject: z.string().nullable().openapi({
    description:
      'Where: a model, a queue, or a part of the check; null where it is about all of the service.',
  }),
  status: openEnum('AlertStatus', alertStatuses, 'Whether the condition holds.'),
  value: z.number().openapi({ description: 'What was found when it was last seen.' }),
  threshold: z.number().openapi({ description: 'Above this it is a condition.' }),
  unit: openEnum('AlertUnit', units, 'Of value and threshold.'),
  opened_at: Timestamp,
  last_seen_at: Timestamp,
  resolved_at: NullableTimestamp,
  runbook: z.string().openapi({
    description: 'Where the runbook says what to do.',
    example: 'docs/runbook.md#stalled_batches',
  }),
}

export const Alert = z
  .object(alertFields)
  .openapi('Alert', { description: 'A condition that holds, or held, from one moment to another.' })
export type Alert = z.infer<typeof Alert>

export const AlertPage = pageOf('AlertPage', Alert)

export const AlertQuery = z.object({
  ...pageQuery,
  status: closedEnum('AlertStatusFilter', alertStatuses, 'Only alerts with this status.').optional(),
})

const AlertEventData = z
  .object({
    ...alertFields,
    sequence: z.int().openapi({ description: "Grows with each of the alert's events." }),
  })
  .openapi('AlertEventData', {
    description: 'The alert as it was then. `sequence` puts its events in order.',
  })
export type AlertEventData = z.infer<typeof AlertEventData>

const alertEvent = (name: string, type: AlertEventType) =>
  z
    .object({
      id: z.string().openapi({ description: 'The same in each delivery: recognise repetitions by it.' }),
      object: z.literal('event'),
      type: z.literal(type),
      timestamp: Timestamp,
      data: AlertEventData,
    })
    .openapi(name, { description: `${alertEventTexts[type]} (\`${type}\`)` })

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
  .openapi('AlertEndpointRequest', { description: 'An endpoint to send alerts to.' })
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
  .openapi('AlertEndpoint', { description: 'Where alerts are sent.' })
export type AlertEndpoint = z.infer<typeof AlertEndpoint>

export const AlertEndpointPage = pageOf('AlertEndpointPage', AlertEndpoint)

export const AlertEndpointWithSecret = z
  .object({ ...endpointFields, secret: WebhookEndpointWithSecret.shape.secret })
  .openapi('AlertEndpointWithSecret', {
    description: 'An endpoint with its signing secret, as creation and rotation answer it.',
  })
export type AlertEndpointWithSecret = z.infer<typeof AlertEndpointWithSecret>

export const AlertEndpointRotation = z
  .strictObject({ overlap_seconds: SecretRotation.shape.overlap_seconds, reason: Reason })
  .openapi('AlertEndpointRotation', { description: 'How a secret is replaced, and why.' })

export const AlertDelivery = z
  .object({
    ...OperatorDelivery.shape,
    event_type: openEnum('AlertEventType', alertEventTypes, 'What an event tells.'),
  })
  .openapi('AlertDelivery', { description: 'What became of one event at one endpoint.' })
export type AlertDelivery = z.infer<typeof AlertDelivery>

export const AlertDeliveryPage = pageOf('AlertDeliveryPage', AlertDelivery)
