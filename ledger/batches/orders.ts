/** Chunks as a Workflow needs them: what they are, and where their items lie. */
import type { LedgerContext } from '../context.ts'
import { type ChunkRow, findChunk } from './chunks.ts'
import { instanceOf, showLife } from './instances.ts'
import { readItems } from './manifest.ts'
import type { Acting, ChunkItem, ChunkOrder } from './protocol.ts'
import type { BatchRow } from './rows.ts'
import { numbersOf } from './statuses.ts'

/** Items in one reply at most: some 200 bytes each. */
const ITEMS_PER_REPLY = 20_000

/** `places`: which of the chunk's items are wanted; null for all. */
export function orderOf(
  ctx: LedgerContext,
  batch: BatchRow,
  row: ChunkRow,
  places: ReadonlySet<number> | null = null,
): ChunkOrder {
  return {
    chunk: row.chunk,
    epoch: row.epoch,
    tries: row.tries,
    kind: batch.kind,
    model: batch.model,
    modelVersion: batch.modelVersion,
    params: batch.params,
    confidentiality: row.confidentiality,
    sourceRef: batch.sourceRef,
    traceparent: batch.traceparent,
    key: `${batch.id}-${row.chunk}-${row.tries}`,
    providerRequestId: row.providerRequestId,
    items: itemsOf(ctx, row, places),
  }
}

function itemsOf(ctx: LedgerContext, row: ChunkRow, places: ReadonlySet<number> | null): ChunkItem[] {
  const wanted = [...numbersOf(row.runs).entries()].filter(([place]) => places === null || places.has(place))
  const items = readItems(
    ctx.db,
    row.batchId,
    wanted.map(([, index]) => index),
  )
  return wanted.flatMap(([position, index]) => {
    const item = items.get(index)
    if (!item) throw new Error('The manifest lacks an item of a chunk.')
    const { line, reference, key, at, bytes } = item
    return [{ position, index, line, reference, key, at, bytes }]
  })
}

/** Chunks as they were sent last, whatever has become of them since. */
export function pollOrders(ctx: LedgerContext, acting: Acting, chunks: readonly number[]): ChunkOrder[] {
  const batch = instanceOf(ctx, acting)
  if (!batch) return []
  showLife(ctx, batch)
  const orders: ChunkOrder[] = []
  for (let at = 0, items = 0; at < chunks.length; at++) {
    const row = findChunk(ctx.db, batch.id, chunks[at] ?? -1)
    items += row?.items ?? 0
    if (items > ITEMS_PER_REPLY && orders.length > 0) break
    if (row && row.tries > 0) orders.push(orderOf(ctx, batch, row))
  }
  return orders
}
