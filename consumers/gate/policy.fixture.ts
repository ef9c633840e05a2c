/** A gate and its clock. */
import { type CallReport, GatePolicy } from './policy.ts'

export const start = 1_000_000_000
export const PERMIT_MS = 180_000
export const SECOND = 1000
export const MINUTE = 60_000

const limits = { requestsPerMinute: 100, tokensPerMinute: 1000, concurrent: 4 }

export function newGate(rest: Partial<typeof limits> = {}) {
  const policy = new GatePolicy({ ...limits, ...rest }, { permitMs: PERMIT_MS, pauseMs: SECOND }, start)
  let asked = 0
  return {
    policy,
    ask: (tenantId = 'a', now = start, tokens = 1, permit = `permit-${asked++}`, jobId = permit) =>
      policy.ask({ permit, jobId, tenantId, tokens }, now),
    report: (
      permit: string,
      outcome: CallReport['outcome'],
      now = start,
      retryAfterMs: number | null = null,
    ) => policy.report({ permit, outcome, retryAfterMs }, now),
  }
}

export const granted = { granted: true }
export const closed = (notBefore: number) => ({ granted: false, notBefore })
