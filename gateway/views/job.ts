/** Jobs as the API shows them. */
import { errorOf } from '../../ledger/events.ts'
import { attemptsOf, isTerminal } from '../../ledger/job.ts'
import type { JobSnapshot } from '../../ledger/job-snapshots.ts'
import { jobUrls, nullableTimestamp, timestamp, usd } from '../../ledger/wire.ts'
import { Job } from '../../openapi/jobs.ts'

/** Parsed by the schema that the document shows, so that nothing leaves by accident. */
export const jobView = (job: JobSnapshot, baseUrl: string): Job =>
  Job.parse({
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

export const usageOf = ({ inputTokens, outputTokens, costMicroUsd }: JobSnapshot) =>
  inputTokens === null
    ? null
    : { input_tokens: inputTokens, output_tokens: outputTokens ?? 0, cost_usd: usd(costMicroUsd ?? 0) }
