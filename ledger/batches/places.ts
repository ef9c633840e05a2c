/** How many chunks a tenant has out at its providers, over all of its batches. */
import { and, count, eq, inArray, isNotNull, sql } from 'drizzle-orm'
import type { LedgerContext } from '../context.ts'
import { batchChunks, batches } from '../schema.ts'
import { type Db, statement } from '../store.ts'

const worked = (db: Db) => db.select({ id: batches.id }).from(batches).where(isNotNull(batches.dueAt))

const countOut = statement((db) =>
  db
    .select({ n: count() })
    .from(batchChunks)
    .where(
      and(
        inArray(batchChunks.batchId, worked(db)),
        eq(batchChunks.path, 'batch'),
        inArray(batchChunks.state, ['submitting', 'submitted']),
      ),
    )
    .prepare(),
)

export const countChunksOut = (db: Db): number => countOut(db).get()?.n ?? 0

/** How many more may be out; less than none after a limit was lowered. */
export const freePlaces = ({ db, plan }: LedgerContext): number => plan.max_batch_chunks - countChunksOut(db)

const selectWaiting = statement((db) =>
  db
    .selectDistinct({ batchId: batchChunks.batchId })
    .from(batchChunks)
    .where(
      and(
        inArray(batchChunks.batchId, worked(db)),
        sql`${batchChunks.path} = 'batch' and ${batchChunks.state} = 'planned'`,
      ),
    )
    .prepare(),
)

/** A place has come free: those that wait for one look again. */
export function placeFreed({ db, tally }: LedgerContext): void {
  for (const { batchId } of selectWaiting(db).all()) tally.woken.add(batchId)
}
