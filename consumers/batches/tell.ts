/** Log lines about batches: IDs, classes and numbers, never content. */
import type { Polled, Submission, SubmissionOutcome, Tried } from '../../ledger/batches/protocol.ts'
import { errorName, log } from '../../ledger/log.ts'
import { traceIdOf } from '../../ledger/trace.ts'
import type { Desk } from './desk.ts'

type Speaker = Pick<Desk, 'tenantId' | 'acting'>

const subject = ({ tenantId, acting }: Speaker, { chunk, epoch, tries }: Tried) => ({
  tenant_id: tenantId,
  batch_id: acting.batchId,
  instance: acting.instance,
  chunk,
  epoch,
  tries,
})

export function tellSubmission(
  desk: Speaker,
  { kind, order }: Exclude<Submission, { kind: 'none' }>,
  outcome: SubmissionOutcome,
): void {
  log('batch.chunk_submitted', {
    ...subject(desk, order),
    trace_id: traceIdOf(order.traceparent),
    model: order.model,
    items: order.items.length,
    asked: kind,
    outcome: outcome.kind,
    class: outcome.kind === 'failed' ? outcome.class : null,
  })
}

/** An answer, or that there will be none. */
export function tellAnswer(desk: Speaker, polled: Exclude<Polled, { kind: 'pending' }>, model: string): void {
  const usage = polled.usage === 'unknown' ? null : polled.usage
  log('batch.chunk_answered', {
    ...subject(desk, polled),
    model,
    outcome: polled.kind,
    class: polled.kind === 'failed' ? polled.class : null,
    succeeded: polled.kind === 'answered' ? countOf(polled.statuses, 's') : null,
    failed: polled.kind === 'answered' ? countOf(polled.statuses, 'f') : null,
    input_tokens: usage?.inputTokens ?? null,
    output_tokens: usage?.outputTokens ?? null,
  })
}

const countOf = (statuses: string, status: string) => statuses.split(status).length - 1

export function tellFault(desk: Speaker, event: string, tried: Tried, error: unknown): void {
  log(event, { ...subject(desk, tried), error: errorName(error) })
}
