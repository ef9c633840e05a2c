/** A batch as operators see it: never content. */
import type { LedgerContext } from '../context.ts'
import { type DeliverySnapshot, deliveriesAbout } from '../delivery-lists.ts'
import { spansOf } from '../spans.ts'
import { type ChunkRow, chunksOf } from './chunks.ts'
import { batchSnapshot, findBatch } from './rows.ts'
import { type BatchSnapshot, type ChunkSnapshot, chunkSnapshot } from './snapshots.ts'

/** What operators see of a batch beyond what its customer does: how its Workflow fares, and why chunks failed. */
export interface BatchForOperators {
  readonly batch: BatchSnapshot
  /** Number of the Workflow instance; 0 before the first. */
  readonly instance: number
  readonly progressAt: number | null
  readonly dueAt: number | null
  readonly chunks: (ChunkSnapshot & OperatorsChunk)[]
  /** Of the events that tell of it. */
  readonly deliveries: DeliverySnapshot[]
}

type OperatorsChunk = Pick<
  ChunkRow,
  'epoch' | 'tries' | 'polls' | 'stalledAt' | 'failures' | 'lastErrorClass' | 'costMicroUsd' | 'findings'
>

export function readBatchForOperators(ctx: LedgerContext, id: string): BatchForOperators | null {
  const batch = findBatch(ctx.db, id)
  if (!batch) return null
  const chunks = chunksOf(ctx.db, id).map((row) => {
    const { epoch, tries, polls, stalledAt, failures, lastErrorClass, costMicroUsd, findings } = row
    const own = { epoch, tries, polls, stalledAt, failures, lastErrorClass, costMicroUsd, findings }
    return { ...chunkSnapshot(row), ...own }
  })
  const { instance, progressAt, dueAt } = batch
  const deliveries = deliveriesAbout(ctx.db, id, spansOf(batch))
  return { batch: batchSnapshot(ctx, batch), instance, progressAt, dueAt, chunks, deliveries }
}
