/** Why a batch would not be accepted as things stand. */
import { fitsBudget } from '../budget.ts'
import type { LedgerContext } from '../context.ts'
import { refused } from '../replies.ts'
import { noRoom } from '../room.ts'
import { isBatchOver } from './batch.ts'
import type { PlanSummary } from './plan.ts'
import { workedBatches } from './rows.ts'

export interface Weighed {
  readonly provider: string
  readonly estimateMicroUsd: number
  readonly maxCostMicroUsd: number | null
}

type Estimated = Pick<PlanSummary['chunks'][number], 'estimateMicroUsd'>

/** What one try at all items is expected to cost at most. */
export const estimateOf = ({ chunks }: { readonly chunks: readonly Estimated[] }) =>
  chunks.reduce((sum, { estimateMicroUsd }) => sum + estimateMicroUsd, 0)

/** The weightiest reason first; worked out one by one. */
export function* batchRefusals(ctx: LedgerContext, { provider, estimateMicroUsd, maxCostMicroUsd }: Weighed) {
  const { plan, full } = ctx
  if (provider === 'test' && !plan.test_models)
    yield refused('invalid-request', 'The model is not available to this tenant.', {
      errors: [{ pointer: '/model', detail: 'Unknown model.' }],
    })
  if (maxCostMicroUsd !== null && estimateMicroUsd > maxCostMicroUsd)
    yield refused('cost-over-limit', 'The estimated cost of the batch is above max_cost_usd.')
  if (full) yield noRoom
  if (openBatches(ctx) >= plan.max_open_batches)
    yield refused(
      'backlog-full',
      `The tenant has ${plan.max_open_batches} unfinished batches, as many as its plan allows.`,
      { retryAfterSeconds: 30 },
    )
  if (!fitsBudget(ctx, estimateMicroUsd))
    yield refused(
      'budget-exhausted',
      "The estimate does not fit into what is left of the tenant's monthly budget.",
    )
}

const openBatches = ({ db }: LedgerContext) =>
  workedBatches(db).filter(({ status }) => !isBatchOver(status)).length
