/**
 * Redriving: a failed job's work as a new job, at an operator's word. The ledger makes it first, and at most once for each failed
 * job; the directory learns of it afterwards, so a redrive that broke off in between is finished by asking again.
 *
 * Operators act on purpose, so neither the backlog's limit nor the tenant's request rate refuses them; when it runs is for the same
 * limits to say as for any other job.
 */
import { eq } from 'drizzle-orm'
import { findModel, isAllowed, isOffered } from '../catalog/models.ts'
import { openJob } from './accept.ts'
import { fitsBudget } from './budget.ts'
import type { LedgerContext } from './context.ts'
import { heldNow } from './epoch.ts'
import { failures } from './failure.ts'
import { timeOf } from './ids.ts'
import { releaseRank } from './job.ts'
import { type JobRow, unstarted } from './jobs.ts'
import { done, type Outcome, refused } from './replies.ts'
import { files, jobs } from './schema.ts'
import { arg, type Db, statement } from './store.ts'
import { intakeRefusals } from './weighing.ts'

export interface RedriveRequest {
  readonly deadLetterId: string
  /** The job that failed. */
  readonly jobId: string
  /** Minted by the gateway, as for any job; not used if the work was redriven before. */
  readonly newJobId: string
}

export interface Redrivable {
  /** The new job, if an earlier redrive made it and broke off before the directory knew. */
  readonly newJobId: string | null
  /** Objects in R2 that the new job needs: the ledger cannot look whether they are there. */
  readonly refs: string[]
}

export interface Redriven {
  readonly newJobId: string
  readonly deadlineAt: number
}

const selectJob = statement((db) =>
  db
    .select()
    .from(jobs)
    .where(eq(jobs.id, arg('id')))
    .prepare(),
)
const selectRedriveOf = statement((db) =>
  db
    .select({ newJobId: jobs.id, deadlineAt: jobs.deadlineAt })
    .from(jobs)
    .where(eq(jobs.redriveOf, arg('id')))
    .prepare(),
)
const selectFile = statement((db) =>
  db
    .select({ ref: files.ref, deletedAt: files.deletedAt })
    .from(files)
    .where(eq(files.id, arg('id')))
    .prepare(),
)

/** What a redrive would be answered with; nothing is written. */
export function foretellRedrive(ctx: LedgerContext, { jobId }: RedriveRequest): Outcome<Redrivable> {
  const made = selectRedriveOf(ctx.db).get({ id: jobId })
  if (made) return done({ newJobId: made.newJobId, refs: [] })
  const failed = failedJob(ctx, jobId)
  return failed.ok ? done({ newJobId: null, refs: failed.value.refs }) : failed
}

export function redriveJob(ctx: LedgerContext, request: RedriveRequest): Outcome<Redriven> {
  const made = selectRedriveOf(ctx.db).get({ id: request.jobId })
  if (made) return done(made)
  const failed = failedJob(ctx, request.jobId)
  if (!failed.ok) return failed

  const row = rowFor(failed.value.job, request.newJobId)
  const key = { hash: `redrive:${request.deadLetterId}`, fingerprint: request.jobId }
  if (openJob(ctx, row, key)) throw new Error('A redrive has its key taken, and has made no job.')
  return done({ newJobId: row.id, deadlineAt: row.deadlineAt })
}

interface Failed {
  readonly job: JobRow
  readonly refs: string[]
}

/** The failed job with the objects that its content lies in, or why running it again cannot help. */
function failedJob(ctx: LedgerContext, jobId: string): Outcome<Failed> {
  const job = selectJob(ctx.db).get({ id: jobId })
  if (!job) return refused('not-redrivable', 'The job is no longer on record.')
  const why = whyNotAgain(job) ?? whyNotRun(ctx, job) ?? whyNoContent(job, ctx.now)
  if (why) return refused('not-redrivable', why)
  if (ctx.standing.held) return heldNow
  const [isPaused] = intakeRefusals(ctx, job)
  if (isPaused) return isPaused
  if (!fitsBudget(ctx, job.estimateMicroUsd))
    return refused('not-redrivable', "The estimate does not fit into what is left of the tenant's budget.")
  const fileRefs = refsOfFiles(ctx.db, job.fileIds)
  if (!fileRefs) return refused('not-redrivable', 'A file that the input refers to has been deleted.')
  return done({ job, refs: job.inputRef === null ? fileRefs : [job.inputRef, ...fileRefs] })
}

function whyNotAgain({ status, errorClass }: JobRow): string | null {
  if (status !== 'failed' || errorClass === null) return `The job has not failed; its status is ${status}.`
  return failures[errorClass].deadLetter ? null : "The failure is the customer's to mend."
}

function whyNotRun({ plan, settings, orders }: LedgerContext, job: JobRow): string | null {
  const model = findModel(job.model)
  if (!model) return `The model ${job.model} is no longer in the catalog.`
  if (!isOffered(model, settings.providers, orders.models))
    return `The model ${job.model} is not on offer any more.`
  if (model.provider === 'test' && !plan.test_models)
    return `The model ${job.model} is not available to the tenant.`
  if (isAllowed(settings.providers, orders.models, job.model, job.kind, job.confidentiality)) return null
  return `The model ${job.model} is not allowed for the kind and confidentiality of the job any more.`
}

function whyNoContent(job: JobRow, now: number): string | null {
  const expired = job.contentExpiresAt !== null && job.contentExpiresAt <= now
  const gone = job.contentDeletedAt !== null || (job.input === null && job.inputRef === null)
  return expired || gone ? 'The input has been deleted.' : null
}

/** Null if one of the files is gone. */
function refsOfFiles(db: Db, fileIds: readonly string[]): string[] | null {
  const refs = fileIds.flatMap((id) => {
    const file = selectFile(db).get({ id })
    return file && file.deletedAt === null ? [file.ref] : []
  })
  return refs.length === fileIds.length ? refs : null
}

/** The same work under the model's present version, with as much time as it had. What lost leases starts alone in its batch. */
function rowFor(failed: JobRow, id: string): JobRow {
  const now = timeOf(id)
  const model = findModel(failed.model)
  return {
    ...failed,
    ...unstarted,
    id,
    redriveOf: failed.id,
    batchId: null,
    modelVersion: model?.version ?? failed.modelVersion,
    provider: model?.provider ?? failed.provider,
    lostLeases: Math.min(failed.lostLeases, 1),
    output: null,
    createdAt: now,
    dueAt: releaseRank(now, failed.priority),
    deadlineAt: now + (failed.deadlineAt - failed.createdAt),
  }
}
