/** Why a batch would not be accepted as things stand. */
import type { LedgerContext } from '../context.ts'
import type { Db } from '../store.ts'
import { type AskedWork, intakeRefusals, modelRefusals, roomRefusals, type Weighed } from '../weighing.ts'
import { isBatchOver } from './batch.ts'
import type { PlanSummary } from './plan.ts'
import { workedBatches } from './rows.ts'

export type AskedBatch = Weighed & AskedWork

type Estimated = Pick<PlanSummary['chunks'][number], 'estimateMicroUsd'>

/** What one try at all items is expected to cost at most. */
export const estimateOf = ({ chunks }: { readonly chunks: readonly Estimated[] }) =>
  chunks.reduce((sum, { estimateMicroUsd }) => sum + estimateMicroUsd, 0)

/** The weightiest reason first; worked out one by one. */
export function* batchRefusals(ctx: LedgerContext, asked: AskedBatch) {
  yield* modelRefusals(ctx, asked)
  yield* intakeRefusals(ctx, asked)
  yield* roomRefusals(ctx, asked, {
    one: 'batch',
    many: 'batches',
    open: () => countOpenBatches(ctx.db),
    most: ctx.plan.max_open_batches,
  })
}

export const countOpenBatches = (db: Db): number =>
  workedBatches(db).filter(({ status }) => !isBatchOver(status)).length
