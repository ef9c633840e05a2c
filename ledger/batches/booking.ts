/** What a chunk's submissions cost: booked once for each, whatever becomes of the answer. */
import { costMicroUsd, findModel } from '../../catalog/models.ts'
import { bookSpend, fitsBudget, freeReservation, monthOf, reserve } from '../budget.ts'
import type { LedgerContext } from '../context.ts'
import type { TokenUsage } from '../usage.ts'
import { countUsage } from '../usage-days.ts'
import type { ChunkChange, ChunkRow } from './chunks.ts'
import type { BatchRow } from './rows.ts'

/** As with an attempt at a job: what was counted, the estimate where nobody knows, and nothing where no work was done (null). */
export function bookChunk(
  ctx: LedgerContext,
  batch: BatchRow,
  row: ChunkRow,
  tries: number,
  usage: TokenUsage | 'unknown' | null,
): ChunkChange {
  if (usage === null || tries <= row.bookedTries) return {}
  const { inputTokens, outputTokens } = usage === 'unknown' ? { inputTokens: 0, outputTokens: 0 } : usage
  const cost = costOf(batch, row, usage)
  bookSpend(ctx, row.reservedMonth ?? monthOf(ctx.now), cost)
  countUsage(ctx, batch, { inputTokens, outputTokens, costMicroUsd: cost })
  return {
    bookedTries: tries,
    inputTokens: row.inputTokens + inputTokens,
    outputTokens: row.outputTokens + outputTokens,
    costMicroUsd: row.costMicroUsd + cost,
    ...(tries === row.tries && freeReservation(ctx, row)),
  }
}

/** A price for each job is one for each item. */
function costOf({ model: id }: BatchRow, row: ChunkRow, usage: TokenUsage | 'unknown'): number {
  const model = findModel(id)
  if (usage === 'unknown' || !model) return row.estimateMicroUsd
  const price = { ...model.price, usdPerJob: model.price.usdPerJob * row.items }
  return costMicroUsd({ ...model, price }, usage.inputTokens, usage.outputTokens)
}

/** The chunk's estimate, unless it is still set aside from before; null where the budget has no room for it. */
export function setAside(ctx: LedgerContext, row: ChunkRow): ChunkChange | null {
  if (row.reservedMicroUsd > 0 || row.estimateMicroUsd === 0) return {}
  return fitsBudget(ctx, row.estimateMicroUsd) ? reserve(ctx, row.estimateMicroUsd) : null
}

/** No call can have counted more: it is a figure that makes no sense. */
const MOST_TOKENS = 50_000_000_000
const isCount = (count: number) => Number.isInteger(count) && count >= 0 && count <= MOST_TOKENS

/** Figures that make no sense count as unknown. */
export const sensible = <T extends null | 'unknown'>(usage: TokenUsage | T): TokenUsage | 'unknown' | T =>
  usage === null || usage === 'unknown' || (isCount(usage.inputTokens) && isCount(usage.outputTokens))
    ? usage
    : 'unknown'
