/** Jobs as the API shows them. */
import type { Estimate } from '../../ledger/estimate.ts'
import { errorOf } from '../../ledger/events.ts'
import { attemptsOf, isTerminal } from '../../ledger/job.ts'
import type { JobSnapshot } from '../../ledger/job-snapshots.ts'
import { jobUrls, nullableTimestamp, timestamp, usd } from '../../ledger/wire.ts'
import type { Job, JobEstimate, JobResult } from '../../openapi/jobs.ts'

export const jobView = (job: JobSnapshot, baseUrl: string): Job => ({
  id: job.id,
  object: 'job',
  kind: job.kind,
  model: job.model,
  model_version: job.modelVersion,
  provider: job.provider,
  provider_request_id: job.providerRequestId,
  status: job.status,
  terminal: isTerminal(job.status),
  status_reason: job.statusReason,
  attempts: attemptsOf(job),
  created_at: timestamp(job.createdAt),
  started_at: nullableTimestamp(job.startedAt),
  last_attempt_at: nullableTimestamp(attemptsOf(job) > 0 ? job.lastAttemptAt : null),
  next_attempt_at: nullableTimestamp(job.status === 'retrying' ? job.dueAt : null),
  finished_at: nullableTimestamp(job.finishedAt),
  deadline_at: timestamp(job.deadlineAt),
  content_expires_at: nullableTimestamp(job.contentExpiresAt),
  content_deleted_at: nullableTimestamp(job.contentDeletedAt),
  error: job.errorClass && errorOf(job.errorClass),
  usage: usageOf(job),
  metadata: job.metadata,
  priority: job.priority,
  confidentiality: job.confidentiality,
  processing_version: job.processingVersion,
  created_by: job.createdBy,
  batch_id: job.batchId,
  redrive_of: job.redriveOf,
  ...jobUrls(baseUrl, job.id),
})

const usageOf = ({ inputTokens, outputTokens, costMicroUsd }: JobSnapshot) =>
  inputTokens === null
    ? null
    : { input_tokens: inputTokens, output_tokens: outputTokens ?? 0, cost_usd: usd(costMicroUsd ?? 0) }

export const estimateView = (
  model: string,
  { estimateMicroUsd, inputTokens, reasons }: Estimate,
): JobEstimate => ({
  estimated_cost_usd: usd(estimateMicroUsd),
  estimated_input_tokens: inputTokens,
  model,
  would_be_accepted: reasons.length === 0,
  reasons,
})

/** `text` is the output as JSON; that it is one of the kind is left to the gate. */
export function resultView(job: JobSnapshot, text: string): JobResult {
  const { id, kind, model } = job
  const usage = usageOf(job)
  if (!usage) throw new Error('A job has a result and no usage.')
  return { id, object: 'job_result', kind, model, output: JSON.parse(text) as unknown, usage } as JobResult
}
