/** Putting the outputs of a chunk's jobs together, once all of them have ended. */
import { and, between, eq } from 'drizzle-orm'
import { doom } from '../content-refs.ts'
import type { LedgerContext } from '../context.ts'
import { jobs } from '../schema.ts'
import { awaitsGathering, type ChunkRow, findChunk, isCurrent, updateChunk } from './chunks.ts'
import { finishIfDone } from './end-batch.ts'
import { instanceOf, showLife } from './instances.ts'
import { dropItemContent } from './item-jobs-end.ts'
import { orderOf } from './orders.ts'
import type { Acting, ChunkAnswer, ChunkOrder, ItemResult } from './protocol.ts'
import type { BatchRow } from './rows.ts'
import { statusAt } from './statuses.ts'

/** Outputs in one reply. */
const PAGE_BYTES = 1024 * 1024
/** Rows read for it at once. */
const PAGE_ROWS = 200

/** Gathering goes on after the end of a batch: what had finished when it was cancelled is kept. */
export function gatherOrder(ctx: LedgerContext, acting: Acting, chunk: number): ChunkOrder | null {
  const found = gathering(ctx, acting, chunk)
  return found && orderOf(ctx, found.batch, found.row)
}

function gathering(
  ctx: LedgerContext,
  acting: Acting,
  chunk: number,
): { batch: BatchRow; row: ChunkRow } | null {
  const batch = instanceOf(ctx, acting)
  const row = batch && findChunk(ctx.db, batch.id, chunk)
  return row && awaitsGathering(row) ? { batch, row } : null
}

export function itemResults(ctx: LedgerContext, acting: Acting, chunk: number, after: number): ItemResult[] {
  const found = gathering(ctx, acting, chunk)
  if (!found) return []
  showLife(ctx, found.batch)
  const results: ItemResult[] = []
  let bytes = 0
  for (const result of resultsAfter(ctx, found.row, after)) {
    bytes += result.output?.length ?? 0
    if (bytes > PAGE_BYTES && results.length > 0) break
    results.push(result)
  }
  return results
}

/** Of every item: one that was cancelled, or expired, before it had a job has none. */
function* resultsAfter(ctx: LedgerContext, row: ChunkRow, after: number): Generator<ItemResult> {
  for (let first = after + 1; first < row.items; first += PAGE_ROWS) {
    const last = Math.min(first + PAGE_ROWS, row.items) - 1
    const jobs = jobsBetween(ctx, row, first, last)
    for (let position = first; position <= last; position++) yield resultOf(row, position, jobs.get(position))
  }
}

function jobsBetween({ db }: LedgerContext, { batchId, chunk }: ChunkRow, first: number, last: number) {
  const rows = db
    .select(resultColumns)
    .from(jobs)
    .where(
      and(eq(jobs.batchId, batchId), eq(jobs.batchChunk, chunk), between(jobs.batchPosition, first, last)),
    )
    .all()
  return new Map(rows.map((row) => [row.position ?? -1, row]))
}

const resultColumns = {
  position: jobs.batchPosition,
  output: jobs.output,
  outputRef: jobs.outputRef,
  inputTokens: jobs.inputTokens,
  outputTokens: jobs.outputTokens,
  modelVersion: jobs.modelVersion,
}

type ResultRow = { [K in keyof typeof resultColumns]: (typeof resultColumns)[K]['_']['data'] | null }

function resultOf({ statuses, errors }: ChunkRow, position: number, job: ResultRow | undefined): ItemResult {
  const status = statusAt(statuses, position)
  if (status === 'pending') throw new Error('An item of a chunk that is to be gathered is pending.')
  const usage =
    job?.inputTokens == null ? null : { inputTokens: job.inputTokens, outputTokens: job.outputTokens ?? 0 }
  return {
    position,
    status,
    errorClass: errors[position] ?? (status === 'expired' ? 'deadline_exceeded' : null),
    output: status === 'succeeded' ? (job?.output ?? null) : null,
    outputRef: status === 'succeeded' ? (job?.outputRef ?? null) : null,
    usage,
    modelVersion: job?.modelVersion ?? null,
  }
}

export function endGathering(ctx: LedgerContext, acting: Acting, answer: ChunkAnswer): boolean {
  const batch = instanceOf(ctx, acting)
  const row = batch && findChunk(ctx.db, batch.id, answer.chunk)
  if (!row) return false
  if (awaitsGathering(row) && isCurrent(row, answer)) gathered(ctx, row, answer)
  else if (answer.outputRef !== row.outputRef) doom(ctx.db, [answer.outputRef], ctx.now)
  finishIfDone(ctx, row.batchId)
  return true
}

function gathered(ctx: LedgerContext, row: ChunkRow, answer: ChunkAnswer): void {
  updateChunk(ctx.db, row, {
    state: 'collected',
    dueAt: null,
    collectedAt: ctx.now,
    findings: answer.findings,
    modelVersion: answer.modelVersion,
    outputRef: answer.outputRef,
  })
  dropItemContent(ctx, row)
}
