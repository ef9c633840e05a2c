/** Rows of batches: the one place where a batch's row is written, and the shape in which it leaves the ledger. */
import { asc, eq, isNotNull, sql } from 'drizzle-orm'
import type { LedgerContext } from '../context.ts'
import { batches } from '../schema.ts'
import { arg, type Db, rowOf, statement } from '../store.ts'
import { advanceBatch, type BatchEvent } from './batch.ts'
import { appendBatchEvent } from './events.ts'
import { figuresOf } from './figures.ts'
import { type BatchSnapshot, shownOfBatch } from './snapshots.ts'

export type BatchRow = typeof batches.$inferSelect
export type BatchChange = Partial<BatchRow>

const selectBatch = statement((db) =>
  db
    .select()
    .from(batches)
    .where(eq(batches.id, arg('id')))
    .prepare(),
)
export const findBatch = (db: Db, id: string): BatchRow | undefined => selectBatch(db).get({ id })

const insertRow = statement((db) => db.insert(batches).values(rowOf(batches)).prepare())

/** A new batch, with the event that tells of it. */
export function insertBatch(ctx: LedgerContext, batch: BatchRow): void {
  insertRow(ctx.db).run(batch)
}

export function updateBatch(db: Db, id: string, change: BatchChange): void {
  db.update(batches).set(change).where(eq(batches.id, id)).run()
}

/**
 * Moves a batch by one event, with the event that its new status owes to the customer. Null where the state machine has no such
 * move; then nothing was written.
 */
export function moveBatch(
  ctx: LedgerContext,
  batch: BatchRow,
  event: BatchEvent,
  more: BatchChange = {},
): BatchRow | null {
  const status = advanceBatch(batch.status, event)
  if (!status) return null
  const sequence = batch.sequence + (tells(event) ? 1 : 0)
  const change = { ...more, status, sequence, version: batch.version + 1 }
  updateBatch(ctx.db, batch.id, change)
  const moved = { ...batch, ...change }
  if (tells(event)) appendBatchEvent(ctx, moved)
  return moved
}

const tells = (event: BatchEvent) => event !== 'begin' && event !== 'discard'

const selectWorked = statement((db) =>
  db.select().from(batches).where(isNotNull(batches.dueAt)).orderBy(asc(batches.dueAt)).prepare(),
)
/** Batches that are still worked for, those that have ended and have something left to gather or call off included. */
export const workedBatches = (db: Db): BatchRow[] => selectWorked(db).all()

const countWorked = statement((db) =>
  db.select({ n: sql<number>`count(*)` }).from(batches).where(isNotNull(batches.dueAt)).prepare(),
)
export const countWorkedBatches = (db: Db): number => countWorked(db).get()?.n ?? 0

export function batchSnapshot(ctx: Pick<LedgerContext, 'db' | 'now'>, batch: BatchRow): BatchSnapshot {
  const { counts, usage, statusReason } = figuresOf(ctx, batch)
  const view: Record<string, unknown> = { counts, usage, statusReason }
  for (const name of shownOfBatch) view[name] = batch[name]
  return view as unknown as BatchSnapshot
}
