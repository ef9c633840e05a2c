/** What the batch sides of the providers have in common: an item's answer is what one attempt at it would have come to. */
import type { ProviderName } from '../../../catalog/models.ts'
import { log } from '../../../ledger/log.ts'
import type { TokenUsage } from '../../../ledger/usage.ts'
import type { FailureClass } from '../../../openapi/job-words.ts'
import type { ChunkCall, ChunkRead, ItemAnswer } from '../../batch-provider.ts'
import type { Attempt } from '../../provider.ts'

/** An item's attempt, with the usage that is known of it. */
export interface ItemAttempt {
  readonly answer: ItemAnswer
  readonly usage: TokenUsage | 'unknown' | null
}

/** The attempt as the provider's word on the item that it says it is of. */
export function answerOf(reference: string | null, index: number | null, attempt: Attempt): ItemAttempt {
  const usage = attempt.usage === 'unknown' ? null : attempt.usage
  const answer: ItemAnswer =
    attempt.kind === 'completed'
      ? { reference, index, kind: 'completed', output: attempt.output, usage }
      : { reference, index, kind: 'failed', class: attempt.class, usage }
  return { answer, usage: attempt.usage }
}

/** Of items that the provider does not count together; one whose cost nobody knows leaves that of all unknown. */
export function usageOf(items: readonly Pick<ItemAttempt, 'usage'>[]): TokenUsage | 'unknown' {
  let [inputTokens, outputTokens] = [0, 0]
  for (const { usage } of items) {
    if (usage === 'unknown') return 'unknown'
    inputTokens += usage?.inputTokens ?? 0
    outputTokens += usage?.outputTokens ?? 0
  }
  return { inputTokens, outputTokens }
}

/** The chunk was not taken, and costs nothing. */
export const refused = (failure: FailureClass, retryAfterMs: number | null = null) =>
  ({ kind: 'failed', class: failure, retryAfterMs }) as const

/**
 * The class in which a provider refuses a chunk as a whole. We made it, of items that were checked one by one: what is wrong with it is
 * ours to mend, and the customer of each item would look for the fault in vain. Content that it refuses is not: to send that again by
 * itself could count against us.
 */
export const ofChunk = (failure: FailureClass): FailureClass =>
  failure === 'invalid_input' || failure === 'input_too_large' ? 'internal' : failure

/** It could not be read, which says nothing of the chunk: it stays pending, and operators can see why. */
export function readAgain(provider: ProviderName, { key }: ChunkCall, failure: FailureClass): ChunkRead {
  log('batch.read_failed', { provider, key, class: failure })
  return { kind: 'pending' }
}

/** Nothing will come of the chunk any more; a usage of null costs nothing. */
export const chunkFailed = (failure: FailureClass, usage: TokenUsage | 'unknown' | null): ChunkRead => ({
  kind: 'failed',
  class: failure,
  retryAfterMs: null,
  usage,
})
