/** Accepting a job: key, state checks, then job, event and deliveries, in one transaction. The row is its own outbox. */
import { estimateMicroUsd, tokensOfBytes } from '../catalog/estimate.ts'
import type { KindName } from '../catalog/kind.ts'
import { type Confidentiality, findModel } from '../catalog/models.ts'
import type { Priority } from '../openapi/job-words.ts'
import { reserve } from './budget.ts'
import { holdRefs } from './content-refs.ts'
import type { LedgerContext } from './context.ts'
import { appendEvent } from './events.ts'
import { type FileRef, fileBytesOf, fileIdsOf, fileRefusal, holdFiles } from './file-inputs.ts'
import { firstAnswer, type OnRecord, type RequestKey, takeKey } from './idempotency.ts'
import { timeOf } from './ids.ts'
import { releaseRank } from './job.ts'
import { asAccepted, type JobSnapshot } from './job-snapshots.ts'
import { findJob, insertJob, type JobRow, unstarted } from './jobs.ts'
import { done, type Outcome, refused } from './replies.ts'
import { intakeRefusals, modelRefusals, roomRefusals } from './weighing.ts'

export interface AcceptRequest {
  /** Minted by the gateway, so that a call repeated after a lost reply is recognised as the same one. */
  readonly jobId: string
  readonly key: RequestKey
  readonly kind: KindName
  readonly model: string
  readonly modelVersion: string
  readonly provider: string
  /** JSON text, or null when it lies in R2 under `inputRef`. */
  readonly input: string | null
  readonly inputRef: string | null
  readonly params: string | null
  readonly metadata: Record<string, string>
  readonly fileRefs: FileRef[]
  readonly priority: Priority
  readonly deadlineSeconds: number
  readonly retentionSeconds: number
  readonly confidentiality: Confidentiality
  readonly processingVersion: string
  readonly createdBy: string
  /** W3C Trace Context. */
  readonly traceparent: string
  /** Estimated, without the files' content. */
  readonly inputTokens: number
  readonly maxCostMicroUsd: number | null
}

export interface Accepted {
  readonly job: JobSnapshot
  readonly replayed: boolean
}

export function acceptJob(ctx: LedgerContext, request: AcceptRequest): Outcome<Accepted> {
  const expected = estimateFor(ctx, request)
  const refusal = stateRefusal(ctx, request, expected)
  if (refusal) return answerOf(ctx, request, firstAnswer(ctx.db, request.key)) ?? refusal

  const row = rowFor(request, expected)
  const first = openJob(ctx, row, request.key)
  return answerOf(ctx, request, first) ?? done({ job: asAccepted(row), replayed: false })
}

/**
 * Writes a new job with its key, its event and what it sets aside of the budget. Whether it may be is asked before. Where the key is
 * taken, nothing is written, and the answer is what is on record under it.
 */
export function openJob(ctx: LedgerContext, row: JobRow, key: RequestKey): OnRecord {
  const first = takeKey(ctx.db, key, row.id, ctx.now)
  if (first) return first
  insertJob(ctx.db, { ...row, ...reserve(ctx, row.estimateMicroUsd) })
  if (row.inputRef !== null) holdRefs(ctx.db, row.id, [row.inputRef])
  holdFiles(ctx.db, row.id, row.fileIds)
  ctx.tally.opened.push(row)
  appendEvent(ctx, row)
  return null
}

/** What a job that would not be accepted now is answered with: a replay or a refusal. Null for one that would be; nothing is written. */
export function answeredAlready(ctx: LedgerContext, request: AcceptRequest): Outcome<Accepted> | null {
  const first = answerOf(ctx, request, firstAnswer(ctx.db, request.key))
  return first ?? stateRefusal(ctx, request, estimateFor(ctx, request))
}

function answerOf(ctx: LedgerContext, request: AcceptRequest, first: OnRecord): Outcome<Accepted> | null {
  if (first && 'ok' in first) return first
  return first && replay(ctx, first.resourceId, request.jobId)
}

/** The same ID on record means that this very call was made before and its reply was lost: its answer is a first one. */
function replay(ctx: LedgerContext, resourceId: string, askedId: string): Outcome<Accepted> {
  const job = findJob(ctx.db, resourceId)
  if (!job) return refused('idempotency-key-reused', 'This key belongs to work that is no longer on record.')
  return done({ job: asAccepted(job), replayed: resourceId !== askedId })
}

const stateRefusal = (ctx: LedgerContext, request: AcceptRequest, expected: Expected) =>
  stateRefusals(ctx, request, expected).next().value ?? null

/** Why the job would not be accepted as things stand, the weightiest reason first; worked out one by one. */
export function* stateRefusals(ctx: LedgerContext, request: Asked, { microUsd: estimateMicroUsd }: Expected) {
  yield* modelRefusals(ctx, request)
  const unfit = fileRefusal(ctx, request)
  if (unfit) yield unfit
  yield* intakeRefusals(ctx, request)
  const weighed = { maxCostMicroUsd: request.maxCostMicroUsd, estimateMicroUsd }
  const { openJobs, plan } = ctx
  yield* roomRefusals(ctx, weighed, {
    one: 'job',
    many: 'jobs',
    open: () => openJobs,
    most: plan.max_backlog,
  })
}

/** What a request says of the work itself. */
export type Asked = Omit<AcceptRequest, 'jobId' | 'key' | 'input' | 'inputRef' | 'createdBy' | 'traceparent'>

export interface Expected {
  /** Of input, with that of files; for audio, seconds. */
  readonly inputTokens: number
  /** What one attempt is expected to cost at most. */
  readonly microUsd: number
}

/** What one attempt is expected to take. */
export function estimateFor(ctx: LedgerContext, { kind, model, inputTokens, fileRefs }: Asked): Expected {
  const tokens = inputTokens + tokensOfBytes(kind, fileBytesOf(ctx, fileRefs))
  const row = findModel(model)
  return { inputTokens: tokens, microUsd: row ? estimateMicroUsd(row, tokens) : 0 }
}

/** The time in the ID is the time of acceptance: one clock for what is shown, sorted and filtered by. */
function rowFor(request: AcceptRequest, { inputTokens, microUsd }: Expected): JobRow {
  const now = timeOf(request.jobId)
  const {
    jobId: id,
    key: _k,
    fileRefs,
    maxCostMicroUsd: _m,
    inputTokens: _i,
    deadlineSeconds,
    ...fields
  } = request
  const deadlineAt = now + deadlineSeconds * 1000
  return {
    ...unstarted,
    ...fields,
    expectedTokens: inputTokens + Math.min(inputTokens, findModel(request.model)?.maxOutputTokens ?? 0),
    estimateMicroUsd: microUsd,
    id,
    redriveOf: null,
    fileIds: fileIdsOf(fileRefs),
    output: null,
    createdAt: now,
    dueAt: releaseRank(now, request.priority),
    deadlineAt,
  }
}
