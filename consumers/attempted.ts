/** One wide log line for each attempt: IDs, classes and numbers, never content. */
import type { Lease } from '../ledger/claim.ts'
import { log } from '../ledger/log.ts'
import type { Settled, Settlement } from '../ledger/settle.ts'
import { traceIdOf } from '../ledger/trace.ts'
import { usd } from '../ledger/wire.ts'

export interface AttemptFacts {
  readonly tenantId: string
  readonly lease: Lease
  readonly settlement: Settlement
  readonly latencyMs: number
  readonly settled: Settled
}

export function tellAttempt({ tenantId, lease, settlement, latencyMs, settled }: AttemptFacts): void {
  const { outcome } = settlement
  const usage = settlement.usage === 'unknown' ? null : settlement.usage
  log('job.attempted', {
    tenant_id: tenantId,
    job_id: lease.jobId,
    trace_id: traceIdOf(lease.traceparent),
    kind: lease.kind,
    model: lease.model,
    attempt: lease.attempt,
    outcome: outcome.kind,
    class: outcome.kind === 'failed' ? outcome.class : null,
    verdict: settled.kind === 'settled' ? settled.status : settled.kind,
    next_delay_ms: settled.kind === 'settled' ? settled.retryInMs : null,
    latency_ms: latencyMs,
    input_tokens: usage?.inputTokens ?? null,
    output_tokens: usage?.outputTokens ?? null,
    cost_usd: 'costMicroUsd' in settled ? usd(settled.costMicroUsd) : null,
    provider_request_id: settlement.providerRequestId,
  })
}
