/** Rows of the jobs table: the one place where a status is written. */
import { and, count, eq, getTableColumns, isNotNull, sql } from 'drizzle-orm'
import { isItem, itemEnded } from './batches/item-ended.ts'
import { freeReservation } from './budget.ts'
import type { LedgerContext } from './context.ts'
import { appendEvent } from './events.ts'
import { letGoOf } from './files.ts'
import { advance, isTerminal, type JobEvent } from './job.ts'
import { countMove } from './job-counts.ts'
import { jobs } from './schema.ts'
import { arg, type Db, rowOf, statement } from './store.ts'

export type JobRow = typeof jobs.$inferSelect

const { input: _input, output: _output, ...withoutContent } = getTableColumns(jobs)
export const jobColumns = withoutContent
/** A job without its content: what lists, views and decisions need. */
export type JobRecord = Omit<JobRow, 'input' | 'output'>

const selectJob = statement((db) =>
  db
    .select(jobColumns)
    .from(jobs)
    .where(eq(jobs.id, arg('id')))
    .prepare(),
)
export const findJob = (db: Db, id: string): JobRecord | undefined => selectJob(db).get({ id })

/** What a new row leaves to the table's defaults: filling in a value costs more than leaving it out. */
const leftToDefaults = new Set<string>([
  'startedAt',
  'lastAttemptAt',
  'finishedAt',
  'contentExpiresAt',
  'contentDeletedAt',
  'attempt',
  'settledAttempt',
  'bookedAttempt',
  'bookBy',
  'released',
  'releasedAttempt',
  'claimId',
  'failures',
  'unknownOutcomes',
  'lastErrorClass',
  'errorClass',
  'providerRequestId',
  'inputTokens',
  'outputTokens',
  'costMicroUsd',
  'outputRef',
  'output',
] satisfies (keyof JobRow)[])

const whole = rowOf(jobs)
const given = Object.entries(whole).filter(([name]) => !leftToDefaults.has(name))
const insertRow = statement((db) =>
  db
    .insert(jobs)
    .values(Object.fromEntries(given) as typeof whole)
    .prepare(),
)
/** A job that nothing has happened to yet. */
export const insertJob = (db: Db, row: JobRow) => insertRow(db).run(row)

const countRunning = statement((db) =>
  db
    .select({ n: count() })
    .from(jobs)
    .where(and(eq(jobs.status, 'running'), isNotNull(jobs.dueAt)))
    .prepare(),
)
export const countRunningJobs = (db: Db): number => countRunning(db).get()?.n ?? 0

type Extra = Partial<
  Pick<
    JobRow,
    | 'output'
    | 'outputRef'
    | 'modelVersion'
    | 'providerRequestId'
    | 'modelVersion'
    | 'inputTokens'
    | 'outputTokens'
    | 'costMicroUsd'
    | 'bookedAttempt'
    | 'reservedMicroUsd'
    | 'reservedMonth'
    | 'bookBy'
  >
>

type Change = Partial<JobRow>

/** Statements by the columns that they set: there are only a few combinations. */
const updates = statement(() => new Map<string, ReturnType<typeof buildUpdate>>())

function buildUpdate(db: Db, names: (keyof JobRow)[]) {
  const set = Object.fromEntries(names.map((name) => [name, sql`${sql.param(arg(name), jobs[name])}`]))
  return db
    .update(jobs)
    .set(set)
    .where(eq(jobs.id, arg('jobId')))
    .prepare()
}

/** The one place that changes a job's row. */
export function updateJob(db: Db, jobId: string, change: Change): void {
  const names = Object.keys(change) as (keyof JobRow)[]
  const known = updates(db).get(names.join())
  const update = known ?? buildUpdate(db, names)
  if (!known) updates(db).set(names.join(), update)
  update.run({ ...change, jobId })
}

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
  const change = { ...patch, ...extra, ...(ends && endOf(ctx, job, { ...patch, ...extra })) }
  updateJob(ctx.db, job.id, change)
  const { output: _, ...kept } = change as Change
  const moved = { ...job, ...kept }
  countMove(ctx, job, event, moved)
  if (ends) {
    ctx.tally.ended.push(job)
    appendEvent(ctx, moved)
    itemEnded(ctx, moved)
    letGoOf(ctx, moved.fileIds)
  }
  return moved
}

/**
 * What else an end means: it is told, and nothing stays set aside, unless an attempt is still out. The content of an item stays until
 * its chunk has taken it over.
 */
function endOf(ctx: LedgerContext, job: JobRecord, change: Change): Change {
  const isBooked = change.reservedMicroUsd !== undefined || change.bookBy
  return {
    sequence: job.sequence + 1,
    ...(isItem(job) && { contentExpiresAt: null }),
    ...(!isBooked && freeReservation(ctx, job)),
  }
}

/** What a job looks like that nothing has happened to yet. */
export const unstarted = {
  status: 'accepted',
  startedAt: null,
  lastAttemptAt: null,
  finishedAt: null,
  contentExpiresAt: null,
  contentDeletedAt: null,
  attempt: 0,
  settledAttempt: 0,
  bookedAttempt: 0,
  bookBy: null,
  released: 0,
  releasedAttempt: 0,
  reservedMicroUsd: 0,
  reservedMonth: null,
  lostLeases: 0,
  claimId: null,
  failures: {},
  unknownOutcomes: 0,
  lastErrorClass: null,
  errorClass: null,
  providerRequestId: null,
  batchId: null,
  batchChunk: null,
  batchPosition: null,
  inputTokens: null,
  outputTokens: null,
  costMicroUsd: null,
  outputRef: null,
  sequence: 1,
  version: 1,
} as const satisfies Partial<JobRecord>
