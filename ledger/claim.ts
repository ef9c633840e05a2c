/** Claiming: a queue message asks to run an attempt, and gets a lease if everything still holds. */
import { eq } from 'drizzle-orm'
import type { KindName } from '../catalog/kind.ts'
import { fitsBudget, reserve } from './budget.ts'
import type { LedgerContext } from './context.ts'
import { providerKeyOf } from './epoch.ts'
import { type LeasedFile, leasedFiles } from './file-inputs.ts'
import { isOut } from './job.ts'
import { type JobRecord, moveJob } from './jobs.ts'
import { totalOf } from './judge.ts'

import { jobs } from './schema.ts'
import { mayStart } from './startable.ts'
import { arg, statement } from './store.ts'
import { maySend } from './tenant-standing.ts'
import { bookAttempt } from './usage.ts'

export interface ClaimRequest {
  /** The queue's message ID: asking again under it gets the same lease, since the first reply may have been lost. */
  readonly messageId: string
  readonly jobId: string
  readonly attempt: number
}

/** The right to run one attempt until `until`, and what is needed for it. */
export interface Lease {
  readonly jobId: string
  readonly attempt: number
  readonly until: number
  readonly kind: KindName
  readonly model: string
  readonly input: string | null
  readonly inputRef: string | null
  readonly params: string | null
  /** The files that the input refers to, as far as their bytes are kept. */
  readonly files: readonly LeasedFile[]
  readonly traceparent: string | null
  /** Tokens that one attempt is expected to use, in and out, for limits that the provider counts in tokens. */
  readonly expectedTokens: number
  /** The same key only after an unknown outcome; a known bad answer must not be replayed to us. */
  readonly providerKey: string
}

export type NotHeld =
  | 'unknown_job'
  | 'not_next'
  | 'not_due'
  | 'not_allowed'
  | 'over_limit'
  | 'budget_exhausted'
export type Claim = { messageId: string; lease: Lease } | { messageId: string; notHeld: NotHeld }

const selectWhole = statement((db) =>
  db
    .select()
    .from(jobs)
    .where(eq(jobs.id, arg('id')))
    .prepare(),
)

/** `takeStart` grants one start within the tenant's limits. */
export function claimJob(ctx: LedgerContext, request: ClaimRequest, takeStart: () => boolean): Claim {
  const { messageId, attempt } = request
  const job = selectWhole(ctx.db).get({ id: request.jobId })
  if (!job) return { messageId, notHeld: 'unknown_job' }
  if (isRepeat(job, request)) return { messageId, lease: leaseOf(ctx, job) }

  const notHeld = whyNot(job, attempt, ctx)
  if (notHeld) return { messageId, notHeld }
  if (!takeStart()) return { messageId, notHeld: 'over_limit' }

  const { input, output, ...record } = job
  const booked = bookUnsettled(ctx, record)
  const set = setAside(ctx, { ...record, ...booked })
  if (set === null) return giveUp(ctx, record, booked, messageId)
  const event = { type: 'claim' as const, claimId: messageId, leaseMs: ctx.settings.leaseMs }
  const moved = moveJob(ctx, record, event, { ...booked, ...set })
  return moved ? { messageId, lease: leaseOf(ctx, { ...moved, input }) } : { messageId, notHeld: 'not_next' }
}

/** One attempt's estimate, unless it is still set aside from before; null where the budget has no room for it. */
function setAside(ctx: LedgerContext, job: JobRecord) {
  if (job.reservedMicroUsd > 0 || job.estimateMicroUsd === 0) return {}
  return fitsBudget(ctx, job.estimateMicroUsd) ? reserve(ctx, job.estimateMicroUsd) : null
}

function giveUp(ctx: LedgerContext, job: JobRecord, booked: object, messageId: string): Claim {
  moveJob(ctx, job, { type: 'abandon', class: 'budget_exhausted' }, { ...booked, bookBy: null })
  return { messageId, notHeld: 'budget_exhausted' }
}

const isRepeat = (job: JobRecord, { messageId, attempt }: ClaimRequest) =>
  job.status === 'running' && job.attempt === attempt && job.claimId === messageId

function whyNot(job: JobRecord, attempt: number, ctx: LedgerContext): NotHeld | null {
  if (job.dueAt === null || job.status === 'running' || job.attempt + 1 !== attempt) return 'not_next'
  if ((job.status === 'retrying' && ctx.now < job.dueAt) || ctx.now >= job.deadlineAt) return 'not_due'
  return maySend(ctx.standing) && mayStart(ctx, job) ? null : 'not_allowed'
}

/** An attempt that lost its lease and never settled may have cost something. */
const bookUnsettled = (ctx: LedgerContext, job: JobRecord) =>
  isOut(job) ? bookAttempt(ctx, job, job.attempt, 'unknown') : {}

const leaseOf = ({ db, standing }: LedgerContext, job: JobRecord & { input: string | null }): Lease => ({
  jobId: job.id,
  attempt: job.attempt,
  until: job.dueAt ?? 0,
  kind: job.kind,
  model: job.model,
  input: job.input,
  inputRef: job.inputRef,
  params: job.params,
  files: leasedFiles(db, job.fileIds),
  traceparent: job.traceparent,
  expectedTokens: job.expectedTokens,
  providerKey: providerKeyOf(job.id, standing.restoreEpoch, knownAnswers(job)),
})

/** Failures whose outcome at the provider is known; after a timeout, a broken connection or a lost lease it is not. */
const knownAnswers = ({ failures, unknownOutcomes }: JobRecord) => totalOf(failures) - unknownOutcomes
