/** What a move of a job counts as: an attempt that was settled, and an end. Pure. */
import { endedAs, isItem } from './batches/item-ended.ts'
import type { LedgerContext } from './context.ts'
import { added, observed, type SomeCounts } from './counts.ts'
import { processingBounds, queueBounds } from './figures.ts'
import { isTerminal, type JobEvent } from './job.ts'
import type { JobRecord } from './jobs.ts'
import { countUsage, type Sums } from './usage-days.ts'

/** Counts what a job became by an event; for nothing worth counting, nothing is written. */
export function countMove(ctx: LedgerContext, job: JobRecord, event: JobEvent, moved: JobRecord): void {
  const attempt = attemptIn(job, event, ctx.now)
  if (isTerminal(moved.status)) countUsage(ctx, job, sumsOf(moved), added(attempt, endOf(moved)))
  else if (event.type === 'retry') countUsage(ctx, job, {}, attempt)
}

/** A lost lease is no attempt, nor is a claim that was given back. */
function attemptIn({ lastAttemptAt }: JobRecord, event: JobEvent, now: number): SomeCounts {
  if (event.type !== 'succeed' && event.type !== 'retry' && event.type !== 'fail') return {}
  const processed = observed(processingBounds, now - (lastAttemptAt ?? now))
  if (event.type === 'succeed') return { processed, attemptsSucceeded: 1 }
  const ofClass = { [event.class]: 1 }
  return { processed, attemptsFailed: ofClass, ...(event.type === 'retry' && { retries: ofClass }) }
}

const endings = { s: 'succeeded', f: 'failed', c: 'cancelled', e: 'expired' } as const

function endOf(ended: JobRecord): SomeCounts {
  const { createdAt, startedAt, errorClass } = ended
  const how = endings[endedAs(ended)]
  return {
    ...(isItem(ended) ? { items: { [how]: 1 } } : { [ended.status]: 1 }),
    ...(startedAt !== null && { queued: observed(queueBounds, startedAt - createdAt) }),
    ...(errorClass && hasFailed(ended) && { failures: { [errorClass]: 1 } }),
  }
}

function sumsOf(ended: JobRecord): Partial<Sums> {
  const succeeded = Number(ended.status === 'succeeded')
  const failed = Number(hasFailed(ended))
  return isItem(ended) ? { items: 1, succeeded, failed } : { jobs: 1, succeeded, failed }
}

/** An item that expires has not failed, at its provider or as a job. */
const hasFailed = (ended: JobRecord) => (isItem(ended) ? endedAs(ended) === 'f' : ended.status === 'failed')
