/** Batches as the API shows them. */
import { isBatchOver } from '../../ledger/batches/batch.ts'
import type { BatchSnapshot, BatchUsage, CancelledBatch } from '../../ledger/batches/snapshots.ts'
import { batchUrls, nullableTimestamp, timestamp, usd } from '../../ledger/wire.ts'
import type { Batch, BatchCancellation } from '../../openapi/batches.ts'

export const batchView = (batch: BatchSnapshot, baseUrl: string): Batch => ({
  id: batch.id,
  object: 'batch',
  kind: batch.kind,
  model: batch.model,
  model_version: batch.modelVersion,
  processing_version: batch.processingVersion,
  status: batch.status,
  terminal: isBatchOver(batch.status),
  status_reason: batch.statusReason,
  counts: batch.counts,
  created_at: timestamp(batch.createdAt),
  started_at: nullableTimestamp(batch.startedAt),
  finished_at: nullableTimestamp(batch.finishedAt),
  deadline_at: timestamp(batch.deadlineAt),
  content_expires_at: nullableTimestamp(batch.contentExpiresAt),
  usage: batch.usage && usageOf(batch.usage),
  metadata: batch.metadata,
  parent_batch_id: batch.parentBatchId,
  created_by: batch.createdBy,
  ...batchUrls(baseUrl, batch.id),
})

const usageOf = ({ inputTokens, outputTokens, costMicroUsd }: BatchUsage) => ({
  input_tokens: inputTokens,
  output_tokens: outputTokens,
  cost_usd: usd(costMicroUsd),
})

export const cancellationView = (cancelled: CancelledBatch, baseUrl: string): BatchCancellation => ({
  object: 'batch_cancellation',
  batch: batchView(cancelled.batch, baseUrl),
  stopped: cancelled.stopped,
  already_finished: cancelled.alreadyFinished,
  charged_usd: usd(cancelled.chargedMicroUsd),
})
