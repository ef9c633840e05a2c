/** Dead letters of jobs and batches: queued in the settling transaction, carried to the directory afterwards. */

import { z } from '@hono/zod-openapi'
import { eq } from 'drizzle-orm'
import { type FailureClass, failureClasses } from '../openapi/job-words.ts'
import type { BatchRow } from './batches/rows.ts'
import type { LedgerContext } from './context.ts'
import type { DeadLetter } from './directory/dead-letter-records.ts'
import { attemptsOf } from './job.ts'
import type { JobRecord } from './jobs.ts'
import { laneOf } from './lanes.ts'
import { deadLetterOutbox } from './schema.ts'
import { arg, type Db, statement } from './store.ts'

const common = {
  tenantId: z.string(),
  queue: z.string(),
  class: z.enum(failureClasses),
  attempts: z.int(),
  createdAt: z.int(),
  inputKeptUntil: z.int().nullable(),
  model: z.string(),
}
const Stored = z.union([
  z.object({ ...common, jobId: z.string() }),
  z.object({ ...common, batchId: z.string() }),
])

export function queueDeadLetter(ctx: LedgerContext, job: JobRecord, failed: FailureClass): void {
  queue(ctx, job.id, {
    tenantId: ctx.identity.tenantId,
    jobId: job.id,
    queue: laneOf(job),
    class: failed,
    attempts: attemptsOf(job),
    createdAt: ctx.now,
    inputKeptUntil: job.contentExpiresAt,
    model: job.model,
  })
}

type Failed = Pick<BatchRow, 'id' | 'model'>

/** A batch has one dead letter, however many of its chunks and items fail. */
export const queueBatchDeadLetter = (
  ctx: LedgerContext,
  batch: Failed,
  failed: FailureClass,
  attempts: number,
): void =>
  queue(ctx, batch.id, {
    tenantId: ctx.identity.tenantId,
    batchId: batch.id,
    queue: 'batches',
    class: failed,
    attempts,
    createdAt: ctx.now,
    inputKeptUntil: null,
    model: batch.model,
  })

/** Of a job that ran an item of a batch. */
export function queueItemDeadLetter(ctx: LedgerContext, job: JobRecord, failed: FailureClass): void {
  if (job.batchId !== null)
    queueBatchDeadLetter(ctx, { id: job.batchId, model: job.model }, failed, attemptsOf(job))
}

function queue({ db }: LedgerContext, id: string, letter: DeadLetter): void {
  db.insert(deadLetterOutbox)
    .values({ jobId: id, record: JSON.stringify(letter) })
    .onConflictDoNothing()
    .run()
}

const selectQueued = statement((db) => db.select().from(deadLetterOutbox).limit(arg('limit')).prepare())

export interface QueuedLetter {
  /** Of the job or the batch. */
  readonly id: string
  readonly letter: DeadLetter
}

export const queuedDeadLetters = (db: Db, limit: number): QueuedLetter[] =>
  selectQueued(db)
    .all({ limit })
    .map(({ jobId, record }) => ({ id: jobId, letter: Stored.parse(JSON.parse(record)) }))

export const dropDeadLetter = (db: Db, id: string) => {
  db.delete(deadLetterOutbox).where(eq(deadLetterOutbox.jobId, id)).run()
}
