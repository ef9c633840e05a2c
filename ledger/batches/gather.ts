/** Putting the outputs of a chunk's jobs together, once all of them have ended. */
import { and, asc, eq, gt, sql } from 'drizzle-orm'
import { doom } from '../content-refs.ts'
import type { LedgerContext } from '../context.ts'
import { jobs } from '../schema.ts'
import { awaitsGathering, type ChunkRow, findChunk, isCurrent, updateChunk } from './chunks.ts'
import { finishIfDone } from './end-batch.ts'
import { instanceOf } from './instances.ts'
import { dropItemContent } from './item-jobs-end.ts'
import { orderOf } from './orders.ts'
import type { Acting, ChunkAnswer, ChunkOrder, ItemResult } from './protocol.ts'
import type { BatchRow } from './rows.ts'

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
  if (!gathering(ctx, acting, chunk)) return []
  const results: ItemResult[] = []
  let bytes = 0
  for (const result of resultsAfter(ctx, acting.batchId, chunk, after)) {
    bytes += result.output?.length ?? 0
    if (bytes > PAGE_BYTES && results.length > 0) break
    results.push(result)
  }
  return results
}

function* resultsAfter({ db }: LedgerContext, batchId: string, chunk: number, after: number) {
  for (let last = after; ; ) {
    const page = db
      .select(resultColumns)
      .from(jobs)
      .where(and(eq(jobs.batchId, batchId), eq(jobs.batchChunk, chunk), gt(jobs.batchPosition, last)))
      .orderBy(asc(jobs.batchPosition))
      .limit(PAGE_ROWS)
      .all()
    for (const row of page) {
      last = row.position ?? last
      yield resultOf(row)
    }
    if (page.length < PAGE_ROWS) return
  }
}

const resultColumns = {
  position: jobs.batchPosition,
  jobId: jobs.id,
  status: jobs.status,
  errorClass: jobs.errorClass,
  output: jobs.output,
  outputRef: jobs.outputRef,
  inputTokens: jobs.inputTokens,
  outputTokens: jobs.outputTokens,
  modelVersion: jobs.modelVersion,
}

type ResultRow = { [K in keyof typeof resultColumns]: (typeof resultColumns)[K]['_']['data'] | null }

function resultOf(row: ResultRow): ItemResult {
  const { position, jobId, status, errorClass, output, outputRef, inputTokens, outputTokens } = row
  const usage = inputTokens === null ? null : { inputTokens, outputTokens: outputTokens ?? 0 }
  return {
    position: position ?? -1,
    jobId: jobId ?? '',
    status: status as ItemResult['status'],
    errorClass,
    output,
    outputRef,
    usage,
    modelVersion: row.modelVersion ?? '',
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
