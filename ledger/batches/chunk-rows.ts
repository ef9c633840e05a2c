/** The row of a chunk as it is planned. What its tries at a provider may cost is set aside at once. */
import { reserve } from '../budget.ts'
import type { LedgerContext } from '../context.ts'
import type { ChunkRow } from './chunks.ts'
import type { PlannedChunk } from './plan.ts'
import type { BatchRow } from './rows.ts'
import { PENDING } from './statuses.ts'

const untouched = {
  state: 'planned',
  epoch: 0,
  tries: 0,
  bookedTries: 0,
  callOffs: 0,
  deleteAfter: null,
  contentDeletedAt: null,
  succeeded: 0,
  failed: 0,
  cancelled: 0,
  expired: 0,
  inputTokens: 0,
  outputTokens: 0,
  costMicroUsd: 0,
  providerRequestId: null,
  intentAt: null,
  submittedAt: null,
  collectedAt: null,
  polls: 0,
  stalledAt: null,
  failures: {},
  lastErrorClass: null,
  modelVersion: null,
  outputRef: null,
  findings: null,
  errors: {},
  usages: null,
} as const satisfies Partial<ChunkRow>

export function chunkRow(
  ctx: LedgerContext,
  batch: BatchRow,
  chunk: number,
  planned: PlannedChunk,
): ChunkRow {
  const { inputTokens: _, ...fields } = planned
  return {
    ...untouched,
    ...fields,
    ...reserve(ctx, planned.estimateMicroUsd),
    batchId: batch.id,
    chunk,
    dueAt: ctx.now,
    statuses: PENDING.repeat(planned.items),
  }
}
