/** Rows of the jobs table: the one place where a status is written, and the shape in which jobs leave the ledger. */
import { and, count, eq, getTableColumns, isNotNull } from 'drizzle-orm'
import type { FailureClass, JobStatus, StatusReason } from '../openapi/jobs.ts'
import type { LedgerContext } from './context.ts'
import { appendEvent } from './events.ts'
import { advance, isTerminal, type JobEvent } from './job.ts'
import { jobs } from './schema.ts'
import type { Db } from './store.ts'

export type JobRow = typeof jobs.$inferSelect

const { input: _input, output: _output, ...withoutContent } = getTableColumns(jobs)
export const jobColumns = withoutContent
/** A job without its content: what lists, views and decisions need. */
export type JobRecord = Omit<JobRow, 'input' | 'output'>

/** A job as it leaves the ledger. */
export type JobSnapshot = Omit<JobRecord, 'failures' | 'claimId' | 'bookedAttempts'> & {
  statusReason: StatusReason | null
}

export const findJob = (db: Db, id: string): JobRecord | undefined =>
  db.select(jobColumns).from(jobs).where(eq(jobs.id, id)).get()

/** Open jobs of a status, from the partial index alone. */
export const countOpen = (db: Db, status?: JobStatus): number =>
  db
    .select({ n: count() })
    .from(jobs)
    .where(and(status ? eq(jobs.status, status) : undefined, isNotNull(jobs.dueAt)))
    .get()?.n ?? 0

type Extra = Partial<
  Pick<
    JobRow,
    | 'output'
    | 'outputRef'
    | 'providerRequestId'
    | 'inputTokens'
    | 'outputTokens'
    | 'costMicroUsd'
    | 'bookedAttempts'
  >
>

/**
 * Moves a job by one event, in one update, with the job event that its new status owes to the customer.
 * Null where the state machine has no such move; then nothing was written.
 */
export function moveJob(
  ctx: LedgerContext,
  job: JobRecord,
  event: JobEvent,
  extra: Extra = {},
): JobRecord | null {
  const patch = advance(job, event, ctx.now)
  if (!patch) return null
  const ends = isTerminal(patch.status)
  const told = ends ? { sequence: job.sequence + 1 } : {}
  ctx.db
    .update(jobs)
    .set({ ...patch, ...extra, ...told })
    .where(eq(jobs.id, job.id))
    .run()
  const { output: _, ...kept } = extra
  const moved = { ...job, ...patch, ...kept, ...told }
  if (ends) {
    ctx.tally.ended++
    appendEvent(ctx, moved)
  }
  return moved
}

/** Whether a waiting job is held back by a limit of its tenant at the moment. */
export type LimitedNow = (job: JobRecord) => boolean

export function snapshot(job: JobRecord, limited: LimitedNow): JobSnapshot {
  const { failures: _f, claimId: _c, bookedAttempts: _b, ...rest } = job
  return { ...rest, statusReason: reasonOf(job, limited) }
}

function reasonOf(job: JobRecord, limited: LimitedNow): StatusReason | null {
  if (job.status === 'running') return 'running'
  if (job.status === 'retrying') return 'waiting_for_retry'
  if (job.status === 'accepted') return limited(job) ? 'waiting_for_limit' : 'waiting_for_dispatch'
  return null
}

/** The job as the 202 showed it: what a replay of the first answer is made of. */
export function asAccepted(job: JobRecord): JobSnapshot {
  const fresh = {
    status: 'accepted',
    startedAt: null,
    lastAttemptAt: null,
    finishedAt: null,
    contentExpiresAt: null,
    contentDeletedAt: null,
    attempt: 0,
    settledAttempt: 0,
    lostLeases: 0,
    failures: {},
    lastErrorClass: null as FailureClass | null,
    errorClass: null as FailureClass | null,
    providerRequestId: null,
    inputTokens: null,
    outputTokens: null,
    costMicroUsd: null,
    outputRef: null,
    sequence: 1,
    version: 1,
  } as const
  return snapshot({ ...job, ...fresh }, () => false)
}
