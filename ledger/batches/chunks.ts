/** Rows of chunks: the one place where one is written. */
import { and, asc, eq, getTableColumns } from 'drizzle-orm'
import { batchChunks } from '../schema.ts'
import { arg, type Db, rowOf, statement } from '../store.ts'
import type { Tried } from './protocol.ts'

export type ChunkRow = typeof batchChunks.$inferSelect
export type ChunkChange = Partial<ChunkRow>

const { batchId, chunk } = batchChunks

const selectChunk = statement((db) =>
  db
    .select()
    .from(batchChunks)
    .where(and(eq(batchId, arg('batchId')), eq(chunk, arg('chunk'))))
    .prepare(),
)
export const findChunk = (db: Db, of: string, number: number): ChunkRow | undefined =>
  selectChunk(db).get({ batchId: of, chunk: number })

const selectChunks = statement((db) =>
  db
    .select()
    .from(batchChunks)
    .where(eq(batchId, arg('batchId')))
    .orderBy(asc(chunk))
    .prepare(),
)
export const chunksOf = (db: Db, of: string): ChunkRow[] => selectChunks(db).all({ batchId: of })

const { statuses, errors, usages, findings, runs, failures, ...brief } = getTableColumns(batchChunks)
const selectBriefs = statement((db) =>
  db
    .select(brief)
    .from(batchChunks)
    .where(eq(batchId, arg('batchId')))
    .orderBy(asc(chunk))
    .prepare(),
)
/** A chunk without what it holds of each item: what decisions about whole chunks need. */
export type ChunkBrief = Pick<ChunkRow, keyof typeof brief>
export const chunkBriefs = (db: Db, of: string): ChunkBrief[] => selectBriefs(db).all({ batchId: of })

const insertRow = statement((db) => db.insert(batchChunks).values(rowOf(batchChunks)).prepare())
export const insertChunk = (db: Db, row: ChunkRow) => insertRow(db).run(row)

export function updateChunk(db: Db, row: Pick<ChunkRow, 'batchId' | 'chunk'>, change: ChunkChange): void {
  if (Object.keys(change).length === 0) return
  db.update(batchChunks)
    .set(change)
    .where(and(eq(batchId, row.batchId), eq(chunk, row.chunk)))
    .run()
}

type Counted = Pick<ChunkRow, 'items' | 'succeeded' | 'failed' | 'cancelled' | 'expired'>

/** Items that nothing has become of yet. */
export const pendingIn = ({ items, succeeded, failed, cancelled, expired }: Counted) =>
  items - succeeded - failed - cancelled - expired

/** Whether a chunk is at its provider, or may be: it takes one of the tenant's places. */
export const isOutNow = ({ path, state }: Pick<ChunkRow, 'path' | 'state'>) =>
  path === 'batch' && (state === 'submitting' || state === 'submitted')

/** Whether its jobs have ended and their outputs are still to be put together. */
export const awaitsGathering = (row: Counted & Pick<ChunkRow, 'path' | 'state' | 'contentDeletedAt'>) =>
  row.path === 'jobs' &&
  row.state === 'submitted' &&
  pendingIn(row) === 0 &&
  row.succeeded > 0 &&
  row.contentDeletedAt === null

/** Whether the outcome of this submission is the chunk's to take. */
export const isCurrent = (row: ChunkRow, { epoch, tries }: Tried) =>
  row.epoch === epoch && row.tries === tries
