/** What a batch would come to, as the API shows it. */
import { MAX_ERRORS, type PlannedChunk, type PlanSummary } from '../../ledger/batches/plan.ts'
import type { LineError } from '../../ledger/schema.ts'
import { usd } from '../../ledger/wire.ts'
import type { BatchEstimate } from '../../openapi/batch-contents.ts'
import { pathShown } from './batch-manifest.ts'

type Plan = Pick<PlanSummary, 'items' | 'chunks' | 'invalidItems'>

const sum = ({ chunks }: Plan, figure: (chunk: PlannedChunk) => number) =>
  chunks.reduce((total, chunk) => total + figure(chunk), 0)

/** One attempt at each item, at most. */
export const microUsdOf = (plan: Plan) => sum(plan, ({ estimateMicroUsd }) => estimateMicroUsd)

export const estimateView = (
  model: string,
  plan: Plan,
  lineErrors: readonly LineError[],
  reasons: string[],
): BatchEstimate => ({
  estimated_cost_usd: usd(microUsdOf(plan)),
  estimated_input_tokens: sum(plan, ({ inputTokens }) => inputTokens),
  model,
  would_be_accepted: reasons.length === 0,
  reasons,
  items: plan.items,
  bytes: sum(plan, ({ bytes }) => bytes),
  chunks: plan.chunks.map((chunk, index) => ({
    index,
    path: pathShown(chunk),
    item_count: chunk.items,
    bytes: chunk.bytes,
    confidentiality: chunk.confidentiality,
    retention_seconds: chunk.retentionSeconds,
  })),
  errors: lineErrors.slice(0, MAX_ERRORS),
  error_count: plan.invalidItems,
})
