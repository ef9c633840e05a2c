/** What a job would cost and whether it would be accepted now; nothing is written. */
import { type Asked, estimateFor, stateRefusals } from './accept.ts'
import type { LedgerContext } from './context.ts'
import { done, type Outcome, type Refusal } from './replies.ts'

export interface Estimate {
  readonly estimateMicroUsd: number
  readonly inputTokens: number
  /** Why the job would not be accepted as things stand; empty when it would be. */
  readonly reasons: Refusal['code'][]
}

/** A request that could never be accepted is refused as it would be when submitted. */
export function estimateJob(ctx: LedgerContext, asked: Asked): Outcome<Estimate> {
  const expected = estimateFor(ctx, asked)
  const refusals = [...stateRefusals(ctx, asked, expected)]
  const invalid = refusals.find(({ refusal }) => refusal.code === 'invalid-request')
  if (invalid) return invalid
  const reasons = refusals.map(({ refusal }) => refusal.code)
  return done({ estimateMicroUsd: expected.microUsd, inputTokens: expected.inputTokens, reasons })
}
