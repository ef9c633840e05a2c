/** Giving a claim back: the provider's limits, which all tenants share, let no call through. It was no attempt. */
import type { LedgerContext } from './context.ts'
import { findJob, moveJob } from './jobs.ts'

export interface GivenBack {
  readonly jobId: string
  readonly attempt: number
  readonly model: string
  /** When the provider's limits may let the next call to this model through; milliseconds since the epoch. */
  readonly notBefore: number
}

/** False when there is nothing to give back: the attempt has settled, ended, or been taken over. */
export function releaseClaim(ctx: LedgerContext, { jobId, attempt }: GivenBack): boolean {
  const job = findJob(ctx.db, jobId)
  if (job?.status !== 'running' || job.attempt !== attempt) return false
  return moveJob(ctx, job, { type: 'release' }) !== null
}
