/** Deleting a job: it is cancelled if it has not ended, and its content goes now. The job itself stays on record. */
import { outputFolder } from './content.ts'
import { doomedRefs } from './content-refs.ts'
import type { LedgerContext } from './context.ts'
import { findJob, type JobRecord, moveJob } from './jobs.ts'
import { done, type Outcome, refused } from './replies.ts'
import { deleteContent } from './retention.ts'

/** Objects answered to a repeated call at most. */
const PAGE = 100

export interface DeletedJob {
  /** What in R2 is to go now, so that "deleted" is true when it is said; the ledger sees to it as well. */
  readonly refs: string[]
}

export function deleteJob(ctx: LedgerContext, id: string): Outcome<DeletedJob> {
  const job = findJob(ctx.db, id)
  if (!job) return refused('not-found', 'There is no such job.')
  if (job.contentDeletedAt !== null) return done({ refs: stillThere(ctx, job) })
  const ended = moveJob(ctx, job, { type: 'cancel' }) ?? job
  return done({ refs: deleteContent(ctx, ended) })
}

/** The first call may have failed before it had deleted everything. Which objects were the job's is not on record any more. */
const stillThere = ({ db, now, identity }: LedgerContext, { id }: JobRecord) => [
  ...doomedRefs(db, now, PAGE),
  outputFolder(identity.tenantId, id),
]
