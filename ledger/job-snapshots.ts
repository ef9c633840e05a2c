/** The shape in which jobs leave the ledger. */
import { findModel } from '../catalog/models.ts'
import type { StatusReason } from '../openapi/job-words.ts'
import { type JobRecord, unstarted } from './jobs.ts'

/** A job as it leaves the ledger. */
export type JobSnapshot = Pick<JobRecord, (typeof shown)[number]> & { statusReason: StatusReason | null }

/** What views are made of; the rest is the ledger's own, and need not travel. */
const shown = [
  'id',
  'kind',
  'status',
  'dueAt',
  'deadlineAt',
  'createdAt',
  'startedAt',
  'lastAttemptAt',
  'finishedAt',
  'contentExpiresAt',
  'contentDeletedAt',
  'attempt',
  'released',
  'errorClass',
  'model',
  'modelVersion',
  'provider',
  'providerRequestId',
  'priority',
  'confidentiality',
  'processingVersion',
  'createdBy',
  'batchId',
  'redriveOf',
  'inputTokens',
  'outputTokens',
  'costMicroUsd',
  'version',
  'metadata',
  'outputRef',
] as const satisfies (keyof JobRecord)[]

/** What holds back a waiting job that is due at the moment; null where nothing does. */
export type Hindered = (job: JobRecord) => 'intake_paused' | 'waiting_for_limit' | null

export function snapshot(job: JobRecord, hindered: Hindered): JobSnapshot {
  const view: Record<string, unknown> = { statusReason: reasonOf(job, hindered) }
  for (const name of shown) view[name] = job[name]
  return view as JobSnapshot
}

function reasonOf(job: JobRecord, hindered: Hindered): StatusReason | null {
  if (job.status === 'running') return 'running'
  if (job.status === 'retrying') return hindered(job) ?? 'waiting_for_retry'
  if (job.status === 'accepted') return hindered(job) ?? 'waiting_for_dispatch'
  return null
}

/** What tells one state of a job from another: the version of its row, and what it waits for. */
export const jobTag = ({ version, statusReason }: JobSnapshot) => `${version}-${statusReason ?? 'ended'}`

/** The job as the 202 showed it: what a replay of the first answer is made of. */
export const asAccepted = (job: JobRecord): JobSnapshot => {
  const modelVersion = findModel(job.model)?.version ?? job.modelVersion
  return snapshot({ ...job, ...unstarted, modelVersion }, () => null)
}
