/** Writing a new batch. Whether it may be is asked before. */
import { holdRefs } from '../content-refs.ts'
import type { LedgerContext } from '../context.ts'
import { timeOf } from '../ids.ts'
import { appendBatchEvent } from './events.ts'
import { storePlan } from './keep-plan.ts'
import type { BatchPlan } from './plan.ts'
import { type BatchRow, batchSnapshot, insertBatch } from './rows.ts'
import type { BatchSnapshot } from './snapshots.ts'

/** What a batch looks like that nothing has happened to yet. */
const unstarted = {
  status: 'accepted',
  planned: false,
  instance: 0,
  progressAt: null,
  startedAt: null,
  finishedAt: null,
  contentExpiresAt: null,
  contentDeletedAt: null,
  parentBatchId: null,
  itemsFileId: null,
  lines: null,
  items: 0,
  invalidItems: 0,
  duplicateItems: 0,
  unaffordable: null,
  sequence: 1,
  version: 1,
} as const satisfies Partial<BatchRow>

/** What is said of a new batch; the rest is how every batch begins. */
export type NewBatch = Omit<BatchRow, keyof typeof unstarted | 'dueAt' | 'createdAt'> &
  Partial<Pick<BatchRow, 'parentBatchId' | 'itemsFileId' | 'lines'>>

/**
 * `plan` is null where it is still to be made. The batch needs a Workflow at once. The time in the ID is the time of acceptance:
 * one clock for what is shown, sorted and filtered by.
 */
export function openBatch(ctx: LedgerContext, fresh: NewBatch, plan: BatchPlan | null): BatchSnapshot {
  const batch: BatchRow = { ...unstarted, ...fresh, createdAt: timeOf(fresh.id), dueAt: ctx.now }
  insertBatch(ctx, batch)
  holdRefs(ctx.db, batch.id, [batch.sourceRef])
  const known = plan ? storePlan(ctx, batch, plan) : batch
  appendBatchEvent(ctx, known)
  return batchSnapshot(ctx, known)
}
