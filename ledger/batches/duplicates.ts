/** Items that are open in another batch: the same batch sent again under a new request key must not run, and cost, twice. */
import { sql } from 'drizzle-orm'
import type { LedgerContext } from '../context.ts'
import { batchPages } from '../schema.ts'
import type { Db } from '../store.ts'
import { isBatchOver } from './batch.ts'
import { chunksOf } from './chunks.ts'
import { PAGE_ITEMS } from './plan.ts'
import { type BatchRow, workedBatches } from './rows.ts'
import { placeIn, statusAt } from './statuses.ts'

export interface Duplicate {
  /** Of the item that is asked for. */
  readonly index: number
  /** The batches that it is open in, oldest first. */
  readonly batchIds: readonly string[]
}

/** As customers are told. */
export const openIn = ({ batchIds }: Duplicate) => `Open in ${batchIds.join(', ')}.`

/** What an item's key is made of, beside its reference: only batches that agree in all of it can hold the same keys. */
export type Keyed = Pick<BatchRow, 'kind' | 'model' | 'modelVersion' | 'processingVersion'>

/** Which of the keys, one of each item in input order, are pending in other batches: each once. The batch that they are of is not planned yet. */
export function findDuplicates({ db }: LedgerContext, keyed: Keyed, keys: readonly string[]): Duplicate[] {
  const open = workedBatches(db).filter(
    (other) => !isBatchOver(other.status) && other.planned && isAlike(other, keyed),
  )
  if (open.length === 0) return []
  const found = Map.groupBy(
    open.flatMap((other) => pendingAmong(db, other.id, keys)),
    ({ key }) => key,
  )
  return keys.flatMap((key, index) => {
    const batchIds = found
      .get(key)
      ?.map(({ batchId }) => batchId)
      .toSorted()
    return batchIds === undefined ? [] : [{ index, batchIds }]
  })
}

const isAlike = (a: Keyed, b: Keyed) =>
  a.kind === b.kind &&
  a.model === b.model &&
  a.modelVersion === b.modelVersion &&
  a.processingVersion === b.processingVersion

/** Those of the keys that the batch holds and that are pending there. */
function pendingAmong(db: Db, batchId: string, keys: readonly string[]) {
  const held = heldAmong(db, batchId, keys)
  if (held.length === 0) return []
  const chunks = new Map(chunksOf(db, batchId).map((row) => [row.chunk, row]))
  return held.flatMap(({ key, chunk, page, at }) => {
    const row = chunks.get(chunk)
    const place = row ? placeIn(row.runs, page * PAGE_ITEMS + at) : null
    const isPending = row && place !== null && statusAt(row.statuses, place) === 'pending'
    return isPending ? [{ key, batchId }] : []
  })
}

const item = sql`item.value`

/** A column of the table would have to be of one that the query builder knows it reads, so these are expressions. */
const heldAmong = (db: Db, batchId: string, keys: readonly string[]) =>
  db
    .select({
      key: sql<string>`${item} ->> 'key'`,
      chunk: sql<number>`${item} ->> 'chunk'`,
      page: sql<number>`${batchPages.page}`,
      at: sql<number>`item.key`,
    })
    .from(sql`${batchPages} cross join json_each(${batchPages.items}) item`)
    .where(
      sql`${batchPages.batchId} = ${batchId}
        and ${item} ->> 'key' in (select value from json_each(${JSON.stringify(keys)}))`,
    )
    .all()
