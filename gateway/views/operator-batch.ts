/** Batches as operators see them. */
import type { BatchForOperators } from '../../ledger/batches/for-operators.ts'
import type { BatchSnapshot, ChunkSnapshot } from '../../ledger/batches/snapshots.ts'
import type { DeadLetterRow } from '../../ledger/directory/dead-letters.ts'
import { nullableTimestamp, timestamp, usd } from '../../ledger/wire.ts'
import type { OperatorBatch, OperatorBatchDetail } from '../../openapi/operator-batches.ts'
import type { Found } from '../across-ledgers.ts'
import type { Stalled } from '../batches-of-all.ts'
import { batchView } from './batch.ts'
import { chunkView } from './batch-manifest.ts'
import { deadLetterView } from './dead-letter.ts'
import { operatorDeliveryView } from './delivery.ts'

const unknown = (chunks: readonly ChunkSnapshot[]) => chunks.filter(({ state }) => state === 'unknown').length

/** Without what is its tenant's. */
function batchOf(tenantId: string, batch: BatchSnapshot) {
  const { metadata, status_url: _, results_url: __, ...shown } = batchView(batch, '')
  return { ...shown, tenant_id: tenantId, metadata_keys: Object.keys(metadata) }
}

export const stalledView = ({ tenantId, stalled: { batch, stalledAt, chunks } }: Stalled): OperatorBatch => ({
  ...batchOf(tenantId, batch),
  stalled_chunks: chunks.length,
  unknown_chunks: unknown(chunks),
  stalled_since: timestamp(stalledAt),
})

type OperatorsChunk = BatchForOperators['chunks'][number]

const settled: readonly string[] = ['collected', 'failed', 'cancelled']

const isStalled = ({ path, state, stalledAt }: OperatorsChunk, now: number) =>
  path === 'batch' && !settled.includes(state) && stalledAt !== null && stalledAt <= now

export function operatorBatchView(
  { tenantId, found: { batch, instance, progressAt, chunks, deliveries } }: Found<BatchForOperators>,
  letter: DeadLetterRow | undefined,
  now: number,
): OperatorBatchDetail {
  const stalled = chunks.filter((chunk) => isStalled(chunk, now))
  const since = stalled.map(({ stalledAt }) => stalledAt ?? now)
  return {
    ...batchOf(tenantId, batch),
    stalled_chunks: stalled.length,
    unknown_chunks: unknown(chunks),
    stalled_since: nullableTimestamp(since.length > 0 ? Math.min(...since) : null),
    provider: batch.provider,
    workflow_instance: instance,
    progress_at: nullableTimestamp(progressAt),
    chunks: chunks.map((chunk) => chunkForOperators(chunk, now)),
    dead_letter: letter ? deadLetterView(letter, now) : null,
    deliveries: deliveries.map(operatorDeliveryView),
  }
}

const chunkForOperators = (chunk: OperatorsChunk, now: number) => ({
  ...chunkView(chunk),
  tries: chunk.tries,
  polls: chunk.polls,
  stalled_at: isStalled(chunk, now) ? nullableTimestamp(chunk.stalledAt) : null,
  last_error_class: chunk.lastErrorClass,
  cost_usd: usd(chunk.costMicroUsd),
})
