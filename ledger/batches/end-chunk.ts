/** How chunks end. What was set aside for one that has ended is free again. */
import type { ItemClass } from '../../openapi/batch-states.ts'
import type { FailureClass } from '../../openapi/job-words.ts'
import { freeReservation } from '../budget.ts'
import type { LedgerContext } from '../context.ts'
import { queueBatchDeadLetter } from '../dead-letters.ts'
import { isDeadLetter } from '../judge.ts'
import { countUsage } from '../usage-days.ts'
import { bookChunk } from './booking.ts'
import {
  type ChunkBrief,
  type ChunkChange,
  type ChunkRow,
  findChunk,
  isOutNow,
  pendingIn,
  updateChunk,
} from './chunks.ts'
import { dropItemContent, stopItemJobs } from './item-jobs-end.ts'
import { placeFreed } from './places.ts'
import type { BatchRow } from './rows.ts'
import { countEnded, type Ended, type EndedCounts, endPending, pendingPlaces } from './statuses.ts'

/** Times that a Workflow is told to call a chunk off: one answer may be lost on its way. */
export const CALL_OFFS = 2

/** Items of the chunk have ended: the one place, but for items that run as jobs, where that is written and counted. */
export function settleItems(
  ctx: LedgerContext,
  batch: BatchRow,
  row: ChunkRow,
  statuses: string,
  more: ChunkChange,
): ChunkRow {
  const counts = countEnded(statuses)
  const settled = { ...row, ...more, ...counts, statuses }
  updateChunk(ctx.db, row, { ...more, ...counts, statuses })
  countItems(ctx, batch, row, settled)
  if (isOutNow(row)) placeFreed(ctx)
  return settled
}

function countItems(ctx: LedgerContext, batch: BatchRow, before: ChunkRow, after: ChunkRow): void {
  const ended = pendingIn(before) - pendingIn(after)
  if (ended === 0) return
  const items = growthOf(before, after)
  const { succeeded, failed } = items
  countUsage(
    ctx,
    batch,
    { items: ended, succeeded, failed },
    { items, failures: failuresSince(before, after) },
  )
}

const growthOf = (before: EndedCounts, after: EndedCounts): EndedCounts => ({
  succeeded: after.succeeded - before.succeeded,
  failed: after.failed - before.failed,
  cancelled: after.cancelled - before.cancelled,
  expired: after.expired - before.expired,
})

/** Items that have failed since, by class. */
function failuresSince(before: ChunkRow, { statuses, errors }: ChunkRow): Partial<Record<ItemClass, number>> {
  const counts: Partial<Record<ItemClass, number>> = {}
  for (let at = 0; at < statuses.length; at++) {
    const failed = statuses[at] === 'f' && before.statuses[at] !== 'f' ? (errors[at] ?? 'internal') : null
    if (failed) counts[failed] = (counts[failed] ?? 0) + 1
  }
  return counts
}

/** All that is pending of the chunk fails. `more`: what else changes, such as its cost. */
export function failChunk(
  ctx: LedgerContext,
  batch: BatchRow,
  row: ChunkRow,
  failed: FailureClass,
  more: ChunkChange = {},
): void {
  const errors: Record<number, ItemClass> = { ...row.errors }
  for (const place of pendingPlaces(row.statuses)) errors[place] = failed
  const free = more.reservedMicroUsd === undefined ? freeReservation(ctx, row) : {}
  const end = {
    state: 'failed',
    bookedTries: row.tries,
    dueAt: null,
    lastErrorClass: failed,
    collectedAt: ctx.now,
  } as const
  settleItems(ctx, batch, row, endPending(row.statuses, 'f'), { ...free, ...more, ...end, errors })
  if (isDeadLetter(failed, row.failures)) queueBatchDeadLetter(ctx, batch, failed, row.tries)
}

/** All that is pending of the chunk is cancelled or expires. What is out may have cost what it was expected to. */
export function stopChunk(ctx: LedgerContext, batch: BatchRow, row: ChunkRow, how: Ended): void {
  if (row.path === 'jobs') stopJobs(ctx, batch, row, how)
  else if (pendingIn(row) > 0) stopAtProvider(ctx, batch, row, how)
}

function stopAtProvider(ctx: LedgerContext, batch: BatchRow, row: ChunkRow, how: Ended): void {
  settleItems(ctx, batch, row, endPending(row.statuses, how), {
    ...leaveProvider(ctx, batch, row),
    state: row.state === 'unknown' ? 'unknown' : 'cancelled',
    dueAt: null,
  })
}

/** Nobody waits for the chunk's answer any more: it is called off where it can be, and costs its estimate, and nothing more. */
export function leaveProvider(ctx: LedgerContext, batch: BatchRow, row: ChunkRow): ChunkChange {
  const booked = isOutNow(row) ? bookChunk(ctx, batch, row, row.tries, 'unknown') : {}
  const free = booked.reservedMicroUsd === undefined ? freeReservation(ctx, row) : {}
  return { ...booked, ...free, bookedTries: row.tries, callOffs: isOutNow(row) ? CALL_OFFS : 0 }
}

function stopJobs(ctx: LedgerContext, batch: BatchRow, row: ChunkRow, how: Ended): void {
  stopItemJobs(ctx, row, how)
  const stopped = findChunk(ctx.db, row.batchId, row.chunk) ?? row
  const rest = settleItems(
    ctx,
    batch,
    stopped,
    endPending(stopped.statuses, how),
    freeReservation(ctx, stopped),
  )
  endJobsChunk(ctx, rest)
}

/** A chunk whose items have all ended as jobs: where any has an output, they are gathered first. */
export function endJobsChunk(ctx: LedgerContext, row: ChunkBrief): void {
  const isOpen = row.state === 'planned' || row.state === 'submitting' || row.state === 'submitted'
  if (!isOpen || pendingIn(row) > 0) return
  const state = row.failed > 0 ? 'failed' : 'cancelled'
  if (row.succeeded === 0) {
    updateChunk(ctx.db, row, { state, dueAt: null, collectedAt: ctx.now })
    dropItemContent(ctx, row)
  } else if (row.state !== 'submitted') updateChunk(ctx.db, row, { state: 'submitted', dueAt: null })
}
