/** The words for alerts, apart from the schemas, which not all that know the words need. */
import type { EventType } from './webhooks.ts'

export const units = ['seconds', 'count', 'ratio'] as const
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
