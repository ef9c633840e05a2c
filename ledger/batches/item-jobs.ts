/** Items that run as single jobs: those that cannot travel in a provider's batch, and what is left when a batch takes too long. */
import { fitsBudget, reduceReservation, reserve } from '../budget.ts'
import { holdRefs } from '../content-refs.ts'
import type { LedgerContext } from '../context.ts'
import { holdFiles } from '../file-inputs.ts'
import { expectContent } from '../janitor.ts'
import { insertJob, type JobRow } from '../jobs.ts'
import { roomForItems } from './backlog.ts'
import { type ChunkRow, findChunk, isCurrent, updateChunk } from './chunks.ts'
import { endJobsChunk } from './end-chunk.ts'
import { actingFor, showLife } from './instances.ts'
import { itemJobRow } from './item-job-rows.ts'
import { placesWithJob } from './item-jobs-end.ts'
import { lastDeadlineOf } from './look.ts'
import { orderOf } from './orders.ts'
import type { Acting, ChunkOrder, ItemJob, Tried } from './protocol.ts'
import { pendingPlaces } from './statuses.ts'

export interface Opened {
  readonly deadlineAt: number
}

/** As many items as there is room for. */
export function openOrder(ctx: LedgerContext, acting: Acting, chunk: number): ChunkOrder | null {
  const found = singlyRun(ctx, acting, chunk)
  if (!found) return null
  const { batch, row } = found
  const places = withoutJob(ctx, row)
  if (places.size === 0) {
    opened(ctx, row)
    return null
  }
  const some = [...places].slice(0, roomForItems(ctx))
  if (some.length === 0) return null
  // Large inputs are stored before the jobs that refer to them.
  expectContent(ctx)
  return orderOf(ctx, batch, row, new Set(some))
}

/** The chunk, where its items run as jobs and the instance acts for its batch. */
function singlyRun(ctx: LedgerContext, acting: Acting, chunk: number) {
  const batch = actingFor(ctx, acting)
  const row = batch && findChunk(ctx.db, batch.id, chunk)
  return row && row.path === 'jobs' ? { batch, row } : null
}

/** Null: the instance does not act for the batch, or the chunk has moved on. A place that has its job gets no second one. */
export function openItemJobs(
  ctx: LedgerContext,
  acting: Acting,
  tried: Tried,
  items: readonly ItemJob[],
): Opened | null {
  const found = singlyRun(ctx, acting, tried.chunk)
  if (!found || !isCurrent(found.row, tried)) return null
  const { batch, row } = found
  showLife(ctx, batch)
  const places = withoutJob(ctx, row)
  const fresh = items.filter(({ position }) => places.has(position))
  begin(
    ctx,
    row,
    fresh.map((item) => itemJobRow(ctx, batch, row, item)),
  )
  opened(ctx, findChunk(ctx.db, row.batchId, row.chunk) ?? row)
  return { deadlineAt: lastDeadlineOf(batch) }
}

/** What the chunk has set aside is the jobs' now. */
function begin(ctx: LedgerContext, row: ChunkRow, jobs: readonly JobRow[]): void {
  const estimate = jobs.reduce((sum, job) => sum + job.estimateMicroUsd, 0)
  const state = { state: 'submitting', submittedAt: row.submittedAt ?? ctx.now } as const
  updateChunk(ctx.db, row, {
    ...reduceReservation(ctx, row, estimate),
    ...(row.state === 'planned' && state),
  })
  for (const job of jobs) openItemJob(ctx, job)
}

/** Pending items that have no job yet, by place. */
function withoutJob(ctx: LedgerContext, row: ChunkRow): Set<number> {
  const have = placesWithJob(ctx, row)
  return new Set(pendingPlaces(row.statuses).filter((place) => !have.has(place)))
}

/** Once every pending item has its job the chunk waits for these. */
function opened(ctx: LedgerContext, row: ChunkRow): void {
  if (row.state === 'submitted' || withoutJob(ctx, row).size > 0) return
  const rest = reduceReservation(ctx, row, row.reservedMicroUsd)
  updateChunk(ctx.db, row, { ...rest, state: 'submitted', dueAt: null })
  endJobsChunk(ctx, { ...row, state: 'submitted' })
}

/** What does not fit into the budget now is asked again when the job is claimed. */
function openItemJob(ctx: LedgerContext, job: JobRow): void {
  const set = fitsBudget(ctx, job.estimateMicroUsd) ? reserve(ctx, job.estimateMicroUsd) : {}
  insertJob(ctx.db, { ...job, ...set })
  if (job.inputRef !== null) holdRefs(ctx.db, job.id, [job.inputRef])
  holdFiles(ctx.db, job.id, job.fileIds)
  ctx.tally.opened.push(job)
}
