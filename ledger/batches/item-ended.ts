/** A job that ran an item of a batch has ended, or cost something: its chunk follows in the same transaction. */
import { and, eq, sql } from 'drizzle-orm'
import type { LedgerContext } from '../context.ts'
import type { JobRecord } from '../jobs.ts'
import { batchChunks } from '../schema.ts'
import { type ChunkChange, type ChunkRow, findChunk, pendingIn, updateChunk } from './chunks.ts'
import { countEnded, type Ended, endOne } from './statuses.ts'

/** Whether the job runs an item, and so is its batch's and not the customer's own. */
export const isItem = ({ batchChunk }: Pick<JobRecord, 'batchChunk'>) => batchChunk !== null

export function itemEnded(ctx: LedgerContext, job: JobRecord): void {
  const { batchId, batchChunk, batchPosition: place } = job
  if (batchId === null || batchChunk === null || place === null) return
  const row = findChunk(ctx.db, batchId, batchChunk)
  const statuses = row ? endOne(row.statuses, place, endedAs(job)) : null
  if (!row || statuses === null) return
  const counts = countEnded(statuses)
  const change: ChunkChange = { statuses, ...counts }
  if (job.status === 'failed' && job.errorClass) change.errors = { ...row.errors, [place]: job.errorClass }
  if (job.inputTokens !== null) change.usages = usagesWith(row, place, job)
  updateChunk(ctx.db, row, change)
  if (pendingIn({ ...row, ...counts }) === 0) ctx.tally.woken.add(batchId)
}

function usagesWith({ usages, items }: ChunkRow, place: number, job: JobRecord): ChunkRow['usages'] {
  const told = usages ?? new Array<null>(items).fill(null)
  return told.with(place, [job.inputTokens ?? 0, job.outputTokens ?? 0])
}

/** What an item used became known after its job had ended. Once its chunk is collected, its line of the results is written. */
export function itemUsed(ctx: LedgerContext, job: JobRecord): void {
  const { batchId, batchChunk, batchPosition: place } = job
  if (batchId === null || batchChunk === null || place === null) return
  const row = findChunk(ctx.db, batchId, batchChunk)
  if (row && row.state !== 'collected') updateChunk(ctx.db, row, { usages: usagesWith(row, place, job) })
}

/** What the end of its job is to the item. */
export function endedAs({ status, errorClass }: JobRecord): Ended {
  if (status === 'succeeded') return 's'
  if (status === 'cancelled') return 'c'
  return errorClass === 'deadline_exceeded' ? 'e' : 'f'
}

interface Booked {
  readonly inputTokens: number
  readonly outputTokens: number
  readonly costMicroUsd: number
}

export function itemBooked({ db }: LedgerContext, job: JobRecord, booked: Booked): void {
  if (job.batchId === null || job.batchChunk === null) return
  const { inputTokens, outputTokens, costMicroUsd, batchId, chunk } = batchChunks
  db.update(batchChunks)
    .set({
      inputTokens: sql`${inputTokens} + ${booked.inputTokens}`,
      outputTokens: sql`${outputTokens} + ${booked.outputTokens}`,
      costMicroUsd: sql`${costMicroUsd} + ${booked.costMicroUsd}`,
    })
    .where(and(eq(batchId, job.batchId), eq(chunk, job.batchChunk)))
    .run()
}
