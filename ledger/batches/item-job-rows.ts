/** The row of a job that runs one item of a batch. */
import { estimateMicroUsd, tokensOfBytes } from '../../catalog/estimate.ts'
import { findModel } from '../../catalog/models.ts'
import type { LedgerContext } from '../context.ts'
import { keptFiles } from '../files.ts'
import { mintId } from '../ids.ts'
import { releaseRank } from '../job.ts'
import { type JobRow, unstarted } from '../jobs.ts'
import type { ChunkRow } from './chunks.ts'
import { lastDeadlineOf } from './look.ts'
import type { ItemJob } from './protocol.ts'
import type { BatchRow } from './rows.ts'

/** Bulk work that nobody waits for: the tenant's single jobs go first, unless it has waited long. */
const PRIORITY = 'low' as const

export function itemJobRow(ctx: LedgerContext, batch: BatchRow, row: ChunkRow, item: ItemJob): JobRow {
  const { now, identity, randomBytes } = ctx
  const model = findModel(batch.model)
  const tokens = tokensFor(ctx, batch, item)
  return {
    ...unstarted,
    ...sharedBy(batch),
    id: mintId('job', identity.shard, now, randomBytes),
    createdAt: now,
    dueAt: releaseRank(now, PRIORITY),
    deadlineAt: lastDeadlineOf(batch),
    batchChunk: row.chunk,
    batchPosition: item.position,
    confidentiality: row.confidentiality,
    retentionSeconds: row.retentionSeconds,
    expectedTokens: tokens + Math.min(tokens, model?.maxOutputTokens ?? 0),
    estimateMicroUsd: model ? estimateMicroUsd(model, tokens) : 0,
    input: item.input,
    inputRef: item.inputRef,
    fileIds: item.fileIds,
  }
}

const sharedBy = (batch: BatchRow) => ({
  kind: batch.kind,
  model: batch.model,
  modelVersion: batch.modelVersion,
  provider: batch.provider,
  processingVersion: batch.processingVersion,
  createdBy: batch.createdBy,
  params: batch.params,
  traceparent: batch.traceparent,
  batchId: batch.id,
  priority: PRIORITY,
  metadata: {},
  redriveOf: null,
  output: null,
})

function tokensFor({ db }: LedgerContext, { kind }: BatchRow, { inputTokens, fileIds }: ItemJob): number {
  const bytes = keptFiles(db, fileIds).reduce((sum, file) => sum + file.bytes, 0)
  return inputTokens + tokensOfBytes(kind, bytes)
}
