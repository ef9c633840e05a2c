/** Items of a batch, and what a batch reports of them. */
import type { ItemClass, ItemStatus } from '../../openapi/batch-states.ts'
import type { LedgerContext } from '../context.ts'
import { done, type Outcome } from '../replies.ts'
import type { ManifestItem } from '../schema.ts'
import { type ChunkRow, chunksOf } from './chunks.ts'
import { readFaults } from './kept-faults.ts'
import { readItems } from './manifest.ts'
import { noSuchBatch } from './read-batch.ts'
import { errorCount } from './report.ts'
import { batchSnapshot, findBatch } from './rows.ts'
import { type ItemRow, type ItemsPage, type ReportMaterial, reportChunk } from './snapshots.ts'
import { numbersOf, placeIn, statusAt } from './statuses.ts'

export interface ItemQuery {
  readonly status: ItemStatus | null
  /** An index; null for the beginning. */
  readonly after: number | null
  readonly limit: number
}

/** None until they are planned. */
export function batchItems(ctx: LedgerContext, id: string, query: ItemQuery): Outcome<ItemsPage> {
  const batch = findBatch(ctx.db, id)
  if (!batch) return noSuchBatch
  const chunks = chunksOf(ctx.db, id)
  const found = indexesAfter(chunks, query)
  const page = found.slice(0, query.limit)
  const items = readItems(ctx.db, id, page)
  return done({
    batch: batchSnapshot(ctx, batch),
    items: page.flatMap((index) => itemRow(index, items.get(index), chunks)),
    nextAfter: found.length > query.limit ? (page.at(-1) ?? null) : null,
  })
}

/** In input order, one more than asked for where there is one. */
function indexesAfter(chunks: readonly ChunkRow[], { status, after, limit }: ItemQuery): number[] {
  const first = after === null ? 0 : after + 1
  const indexes = chunks.flatMap(({ runs, statuses }) =>
    numbersOf(runs).filter(
      (index, place) => index >= first && (status === null || statusAt(statuses, place) === status),
    ),
  )
  return indexes.toSorted((a, b) => a - b).slice(0, limit + 1)
}

function itemRow(index: number, item: ManifestItem | undefined, chunks: readonly ChunkRow[]): ItemRow[] {
  const row = chunks.find(({ chunk }) => chunk === item?.chunk)
  const place = row ? placeIn(row.runs, index) : null
  if (!item || !row || place === null) return []
  const status = statusAt(row.statuses, place)
  const usage = row.usages?.[place] ?? null
  const errorClass = classOf(row, place, status)
  return [{ reference: item.reference, index, status, chunk: row.chunk, errorClass, usage }]
}

function classOf(row: ChunkRow, place: number, status: ItemStatus): ItemClass | null {
  if (status === 'expired') return 'deadline_exceeded'
  return status === 'failed' ? (row.errors[place] ?? 'internal') : null
}

export function batchReport(ctx: LedgerContext, id: string): Outcome<ReportMaterial> {
  const batch = findBatch(ctx.db, id)
  if (!batch) return noSuchBatch
  const chunks = chunksOf(ctx.db, id)
  const classes = chunks.flatMap(errorsIn)
  const errorClasses: ReportMaterial['errorClasses'] = {}
  for (const one of classes) errorClasses[one] = (errorClasses[one] ?? 0) + 1
  return done({
    batch: batchSnapshot(ctx, batch),
    items: batch.items,
    chunks: chunks.map(reportChunk),
    errorClasses,
    // What an unfinished planning has found so far is not counted, so it is not told.
    lineErrors: errorCount(batch) > 0 ? readFaults(ctx.db, id) : [],
  })
}

const errorsIn = (row: ChunkRow): ItemClass[] =>
  Array.from(row.statuses).flatMap((_, place) => classOf(row, place, statusAt(row.statuses, place)) ?? [])
