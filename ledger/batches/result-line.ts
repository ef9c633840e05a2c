/** A line of a batch's results: the same whatever way the item went. */
import { costMicroUsd, type Model } from '../../catalog/models.ts'
import type { ItemClass, ItemStatus } from '../../openapi/batch-states.ts'
import { itemFailures } from '../failure.ts'
import type { TokenUsage } from '../usage.ts'
import { usd } from '../wire.ts'

/** `output` is null where it has been deleted; `class` for an item that was called off before it failed of anything. */
export type ItemEnd =
  | { readonly status: 'succeeded'; readonly output: unknown }
  | { readonly status: Exclude<ItemStatus, 'pending' | 'succeeded'>; readonly class: ItemClass | null }

export interface ItemName {
  /** The customer's. */
  readonly reference: string
  readonly index: number
}

/** JSON, with a line feed. `usage` is null where nobody counted; `model` where it is in the catalog no more, and has no price. */
export function resultLine(
  { reference, index }: ItemName,
  end: ItemEnd,
  usage: TokenUsage | null,
  model: Model | null,
): string {
  const told = end.status === 'succeeded' ? outputOf(end) : { error: itemError(end.class) }
  const line = { external_reference: reference, index, status: end.status, ...told }
  return `${JSON.stringify({ ...line, usage: usage && model && itemUsage(usage, model) })}\n`
}

/** No kind's output is null by itself; that it is gone is said all the same, so that nobody takes null for what came of the item. */
const outputOf = ({ output }: Extract<ItemEnd, { status: 'succeeded' }>) =>
  output === null ? { output, content_deleted: true } : { output }

export const itemError = (failed: ItemClass | null) =>
  failed && {
    class: failed,
    message: itemFailures[failed].message,
    retryable: itemFailures[failed].retryable,
  }

export const itemUsage = ({ inputTokens, outputTokens }: TokenUsage, model: Model) => ({
  input_tokens: inputTokens,
  output_tokens: outputTokens,
  cost_usd: usd(costMicroUsd(model, inputTokens, outputTokens)),
})
