/** The words in which jobs are spoken of: their states, what they wait for, what they fail of, how urgent and how confidential they are. */
import { kindNames } from '../catalog/kind.ts'
import { confidentialities } from '../catalog/models.ts'
import { closedEnum, openEnum } from './enums.ts'

export const jobStatuses = ['accepted', 'running', 'retrying', 'succeeded', 'failed', 'cancelled'] as const
export type JobStatus = (typeof jobStatuses)[number]

export const statusReasons = [
  'waiting_for_dispatch',
  'waiting_for_limit',
  'waiting_for_retry',
  'intake_paused',
  'running',
] as const
export type StatusReason = (typeof statusReasons)[number]

export const failureClasses = [
  'timeout',
  'rate_limited',
  'provider_unavailable',
  'provider_overloaded',
  'invalid_output',
  'internal',
  'permission_denied',
  'model_not_found',
  'invalid_input',
  'input_too_large',
  'content_filtered',
  'unsupported_kind',
  'budget_exhausted',
  'deadline_exceeded',
] as const
export type FailureClass = (typeof failureClasses)[number]

export const priorities = ['high', 'normal', 'low'] as const
export type Priority = (typeof priorities)[number]

export const JobStatusShown = openEnum(
  'JobStatus',
  jobStatuses,
  '`accepted` waits, `retrying` waits for another attempt; `succeeded`, `failed` and `cancelled` are the end.',
)
export const JobStatusFilter = closedEnum('JobStatusFilter', jobStatuses, 'Only jobs with this status.')
export const JobStatusReason = openEnum(
  'JobStatusReason',
  statusReasons,
  'What a job that has not ended waits for. `intake_paused`: operators hold such work, or have disabled its model.',
)
export const JobFailureClass = openEnum(
  'JobFailureClass',
  failureClasses,
  'What a job failed of. The first six are tried again by themselves, within the deadline.',
)
export const PriorityShown = openEnum('Priority', priorities, 'Which jobs of a tenant start first.')
export const PriorityInput = closedEnum('PriorityInput', priorities, 'Which jobs of a tenant start first.')
export const Kind = openEnum('Kind', kindNames, 'What kind of work it is.')
export const KindFilter = closedEnum('KindFilter', kindNames, 'Only work of this kind.')
export const Confidentiality = openEnum(
  'Confidentiality',
  confidentialities,
  'How confidential the content is: only models that may see such content get it.',
)
export const ConfidentialityInput = closedEnum(
  'ConfidentialityInput',
  confidentialities,
  'How confidential the content is: a model that may not see such content is refused.',
)
