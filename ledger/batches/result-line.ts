/**
 * A line of a batch's results: the same whatever way the item went. Lines go out as they are stored, 50,000 in one answer, so what the
 * document shows holds for them here: outputs were parsed when they came from the provider, and the compiler sees to the rest.
 */
import { costMicroUsd, type Model } from '../../catalog/models.ts'
import type { BatchResultLine } from '../../openapi/batch-contents.ts'
import type { ItemClass, ItemStatus } from '../../openapi/batch-states.ts'
import { itemFailures } from '../failure.ts'
import type { TokenUsage } from '../usage.ts'
import { usd } from '../wire.ts'

/** `output` is null where it has been deleted; `class` for an item that was called off before it failed of anything. */
export type ItemEnd =
  | { readonly status: 'succeeded'; readonly output: unknown }
  | { readonly status: 'failed' | 'expired'; readonly class: ItemClass }
  | { readonly status: 'cancelled'; readonly class: ItemClass | null }

/** How an item ended that has no output. */
export const endWithout = (
  status: Exclude<ItemStatus, 'pending' | 'succeeded'>,
  failed: ItemClass | null,
): ItemEnd => (status === 'cancelled' ? { status, class: failed } : { status, class: failed ?? 'internal' })

export interface ItemName {
  /** The customer's. */
  readonly reference: string
  readonly index: number
}

/** JSON, with a line feed. `usage` is null where nobody counted; `model` where it is in the catalog no more, and has no price. */
export function resultLine(
  { reference: external_reference, index }: ItemName,
  end: ItemEnd,
  usage: TokenUsage | null,
  model: Model | null,
): string {
  const counted = usage && model && itemUsage(usage, model)
  const line: BatchResultLine = { external_reference, index, ...toldOf(end), usage: counted }
  return `${JSON.stringify(line)}\n`
}

function toldOf(end: ItemEnd) {
  if (end.status === 'succeeded') return { status: end.status, ...outputOf(end) }
  if (end.status === 'cancelled') return { status: end.status, error: end.class && itemError(end.class) }
  return { status: end.status, error: itemError(end.class) }
}

type Told = Pick<Extract<BatchResultLine, { status: 'succeeded' }>, 'output' | 'content_deleted'>

/** No kind's output is null by itself; that it is gone is said all the same, so that nobody takes null for what came of the item. */
const outputOf = ({ output }: Extract<ItemEnd, { status: 'succeeded' }>): Told =>
  output === null ? { output, content_deleted: true } : { output: output as Told['output'] }

export const itemError = (failed: ItemClass) => ({
  class: failed,
  message: itemFailures[failed].message,
  retryable: itemFailures[failed].retryable,
})

export const itemUsage = ({ inputTokens, outputTokens }: TokenUsage, model: Model) => ({
  input_tokens: inputTokens,
  output_tokens: outputTokens,
  cost_usd: usd(costMicroUsd(model, inputTokens, outputTokens)),
})
