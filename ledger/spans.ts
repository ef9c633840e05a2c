/** When a job or batch was told of: when it was accepted, and when it ended. */
import type { Span } from './delivery-lists.ts'

/** It counts as created when its ID was minted; it was told of when the ledger had it, a moment later. */
const TOLD_WITHIN_MS = 60_000

interface Life {
  readonly createdAt: number
  readonly finishedAt: number | null
}

export function spansOf({ createdAt, finishedAt }: Life): Span[] {
  const accepted: Span = [createdAt, createdAt + TOLD_WITHIN_MS]
  if (finishedAt === null) return [accepted]
  return finishedAt <= accepted[1] ? [[createdAt, finishedAt]] : [accepted, [finishedAt, finishedAt]]
}
