/** The Workflow instances of a batch: one acts at a time, and what a replaced one says is not heard. */
import type { LedgerContext } from '../context.ts'
import { GRACE_LEFT } from '../settings.ts'
import { isBatchOver } from './batch.ts'
import type { Acting } from './protocol.ts'
import { type BatchRow, findBatch, updateBatch } from './rows.ts'

export interface InstanceStanding {
  /** 0 before the first. */
  readonly instance: number
  /** It should have shown itself by now, so it is taken for dead. */
  readonly silent: boolean
}

export function instanceStanding(ctx: LedgerContext, batchId: string): InstanceStanding | null {
  const batch = findBatch(ctx.db, batchId)
  if (!batch || batch.dueAt === null) return null
  return { instance: batch.instance, silent: batch.dueAt <= ctx.now }
}

export function nextInstance(ctx: LedgerContext, batchId: string, after: number): number | null {
  const batch = findBatch(ctx.db, batchId)
  if (!batch || batch.dueAt === null || batch.instance !== after) return null
  const instance = after + 1
  updateBatch(ctx.db, batchId, { instance, dueAt: ctx.now + ctx.settings.batchGraceMs })
  return instance
}

/** The batch that the instance acts for; null when another one does. It may have ended. */
export function instanceOf(ctx: LedgerContext, { batchId, instance }: Acting): BatchRow | null {
  const batch = findBatch(ctx.db, batchId)
  return batch?.instance === instance ? batch : null
}

/** The same, of a batch that has not ended. */
export function actingFor(ctx: LedgerContext, acting: Acting): BatchRow | null {
  const batch = instanceOf(ctx, acting)
  return batch && !isBatchOver(batch.status) ? batch : null
}

/** The Workflow is at work: what takes it long is no silence. */
export function showLife({ db, now, settings }: LedgerContext, { id, dueAt }: BatchRow): void {
  const { batchGraceMs } = settings
  if (dueAt !== null && dueAt < now + batchGraceMs * GRACE_LEFT)
    updateBatch(db, id, { dueAt: now + batchGraceMs, progressAt: now })
}
