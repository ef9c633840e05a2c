/** Reading a batch: itself, its items, its manifest, what its report is made of, and where its results lie. */
import type { ItemClass, ItemStatus } from '../../openapi/batch-states.ts'
import type { LedgerContext } from '../context.ts'
import { type DeliverySnapshot, deliveriesAbout } from '../delivery-lists.ts'
import { done, type Outcome, refused } from '../replies.ts'
import type { ManifestItem } from '../schema.ts'
import { isBatchOver } from './batch.ts'
import { type ChunkRow, chunksOf, pendingIn } from './chunks.ts'
import { readItems } from './manifest.ts'
import { type BatchRow, batchSnapshot, findBatch } from './rows.ts'
import {
  type BatchSnapshot,
  type ChunkSnapshot,
  chunkSnapshot,
  type ItemRow,
  type ItemsPage,
  type ManifestPage,
  type ReportMaterial,
  type ResultPart,
  type ResultParts,
  reportChunk,
} from './snapshots.ts'
import { numbersOf, placeIn, statusAt } from './statuses.ts'

export const noSuchBatch = refused('not-found', 'There is no such batch.')
export const contentGone = refused('content-deleted', 'The content of this batch has been deleted.')

const PLANNED_AGAIN_SECONDS = 5
const notPlanned = refused('manifest-not-ready', 'The items of the batch have not all been read yet.', {
  retryAfterSeconds: PLANNED_AGAIN_SECONDS,
})

export function readBatch(ctx: LedgerContext, id: string): Outcome<BatchSnapshot> {
  const batch = findBatch(ctx.db, id)
  return batch ? done(batchSnapshot(ctx, batch)) : noSuchBatch
}

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

export function batchManifest(
  ctx: LedgerContext,
  id: string,
  after: number | null,
  limit: number,
): Outcome<ManifestPage> {
  const batch = findBatch(ctx.db, id)
  if (!batch) return noSuchBatch
  if (!batch.planned && !isBatchOver(batch.status)) return notPlanned
  const first = after === null ? 0 : after + 1
  const end = Math.min(batch.items, first + limit)
  const items = readItems(ctx.db, id, numbersOf(end > first ? [[first, end - first]] : []))
  return done({
    batch: batchSnapshot(ctx, batch),
    chunks: chunksOf(ctx.db, id).map(chunkSnapshot),
    items: [...items].map(([index, item]) => ({ ...item, index })),
    nextAfter: end < batch.items ? end - 1 : null,
  })
}

export function batchReport(ctx: LedgerContext, id: string): Outcome<ReportMaterial> {
  const batch = findBatch(ctx.db, id)
  if (!batch) return noSuchBatch
  const chunks = chunksOf(ctx.db, id)
  const classes = chunks.flatMap(failedClasses)
  const errorClasses: ReportMaterial['errorClasses'] = {}
  for (const one of classes) errorClasses[one] = (errorClasses[one] ?? 0) + 1
  return done({
    batch: batchSnapshot(ctx, batch),
    items: batch.items,
    chunks: chunks.map(reportChunk),
    errorClasses,
    lineErrors: batch.lineErrors,
  })
}

const failedClasses = (row: ChunkRow): ItemClass[] =>
  Array.from(row.statuses).flatMap((_, place) => {
    const status = statusAt(row.statuses, place)
    return status === 'failed' ? [classOf(row, place, status) ?? 'internal'] : []
  })

/** Past its date a result is gone, even before it has been cleared away. */
export function batchParts(ctx: LedgerContext, id: string): Outcome<ResultParts> {
  const batch = findBatch(ctx.db, id)
  if (!batch) return noSuchBatch
  if (isGone(batch, ctx.now)) return contentGone
  const parts = chunksOf(ctx.db, id).map((row) => resultPart(row, ctx.now))
  return done({ batch: batchSnapshot(ctx, batch), parts })
}

function resultPart(row: ChunkRow, now: number): ResultPart {
  const { chunk, state, runs, deleteAfter, contentDeletedAt } = row
  const contentDeleted = contentDeletedAt !== null || (deleteAfter !== null && deleteAfter <= now)
  const outputRef = contentDeleted ? null : row.outputRef
  return { chunk, state, ended: row.items - pendingIn(row), runs, outputRef, contentDeleted }
}

const isGone = ({ contentDeletedAt, contentExpiresAt }: BatchRow, now: number) =>
  contentDeletedAt !== null || (contentExpiresAt !== null && contentExpiresAt <= now)

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
  const { instance, progressAt, dueAt, createdAt, finishedAt } = batch
  const told = finishedAt === null || finishedAt === createdAt ? [createdAt] : [createdAt, finishedAt]
  const deliveries = deliveriesAbout(ctx.db, id, told)
  return { batch: batchSnapshot(ctx, batch), instance, progressAt, dueAt, chunks, deliveries }
}
