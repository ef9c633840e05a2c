/** Batches as operators see them. */
import type { BatchForOperators } from '../../ledger/batches/for-operators.ts'
import type { ChunkSnapshot } from '../../ledger/batches/snapshots.ts'
import { nullableTimestamp, timestamp, usd } from '../../ledger/wire.ts'
import type { OperatorBatch, OperatorBatchDetail } from '../../openapi/operator-batches.ts'
import type { Found, Stalled } from '../batches-of-all.ts'
import { batchView } from './batch.ts'
import { chunkView } from './batch-manifest.ts'
import { deliveryView } from './delivery.ts'

const unknown = (chunks: readonly ChunkSnapshot[]) => chunks.filter(({ state }) => state === 'unknown').length

export const stalledView = (
  { tenantId, stalled: { batch, stalledAt, chunks } }: Stalled,
  baseUrl: string,
): OperatorBatch => ({
  ...batchView(batch, baseUrl),
  tenant_id: tenantId,
  stalled_chunks: chunks.length,
  unknown_chunks: unknown(chunks),
  stalled_since: timestamp(stalledAt),
})

type OperatorsChunk = BatchForOperators['chunks'][number]

const settled: readonly string[] = ['collected', 'failed', 'cancelled']

const isStalled = ({ path, state, stalledAt }: OperatorsChunk, now: number) =>
  path === 'batch' && !settled.includes(state) && stalledAt !== null && stalledAt <= now

export function operatorBatchView(
  { tenantId, found: { batch, instance, progressAt, chunks, deliveries } }: Found,
  baseUrl: string,
  now: number,
): OperatorBatchDetail {
  const stalled = chunks.filter((chunk) => isStalled(chunk, now))
  const since = stalled.map(({ stalledAt }) => stalledAt ?? now)
  return {
    ...batchView(batch, baseUrl),
    tenant_id: tenantId,
    stalled_chunks: stalled.length,
    unknown_chunks: unknown(chunks),
    stalled_since: nullableTimestamp(since.length > 0 ? Math.min(...since) : null),
    provider: batch.provider,
    workflow_instance: instance,
    progress_at: nullableTimestamp(progressAt),
    chunks: chunks.map((chunk) => chunkForOperators(chunk, now)),
    deliveries: deliveries.map(deliveryView),
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
