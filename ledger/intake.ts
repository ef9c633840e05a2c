/** What a dead-letter queue hands over: the ledger decides, since the message is only a reference. */
import type { LedgerContext } from './context.ts'
import { MAX_ATTEMPTS, MAX_LOST_LEASES } from './failure.ts'
import { attemptsOf, isTerminal } from './job.ts'
import { findJob, moveJob } from './jobs.ts'
import { deadLetterIfOurs } from './settle.ts'

export interface LostMessage {
  readonly jobId: string
  readonly attempt: number
}

/**
 * `superseded`: the job has ended already, or is unknown. `recovered`: a lease is live or attempts are left, so it goes on (it is
 * dispatched again). `failed`: there is no way on; the job has failed now.
 */
export type IntakeVerdict = 'superseded' | 'recovered' | 'failed'

export function takeLostMessage(ctx: LedgerContext, { jobId }: LostMessage): IntakeVerdict {
  const job = findJob(ctx.db, jobId)
  if (!job || isTerminal(job.status)) return 'superseded'
  if (job.status === 'running' || attemptsOf(job) < MAX_ATTEMPTS + MAX_LOST_LEASES) return 'recovered'
  const moved = moveJob(ctx, job, { type: 'abandon', class: 'internal' })
  if (moved) deadLetterIfOurs(ctx, moved)
  return 'failed'
}
