/** A job's dead letter: queued in the settling transaction, carried to the directory afterwards. */

import { z } from '@hono/zod-openapi'
import { eq } from 'drizzle-orm'
import { failureClasses } from '../openapi/jobs.ts'
import type { LedgerContext } from './context.ts'
import type { JobDeadLetter } from './directory/dead-letters.ts'
import { attemptsOf } from './job.ts'
import type { JobRecord } from './jobs.ts'
import { laneOf } from './lanes.ts'
import { deadLetterOutbox } from './schema.ts'
import { arg, type Db, statement } from './store.ts'

const Stored = z.object({
  tenantId: z.string(),
  jobId: z.string(),
  queue: z.string(),
  class: z.enum(failureClasses),
  attempts: z.int(),
  createdAt: z.int(),
  inputKeptUntil: z.int().nullable(),
  model: z.string(),
})

export function queueDeadLetter(ctx: LedgerContext, job: JobRecord, failed: JobDeadLetter['class']): void {
  const letter: JobDeadLetter = {
    tenantId: ctx.identity.tenantId,
    jobId: job.id,
    queue: laneOf(job),
    class: failed,
    attempts: attemptsOf(job),
    createdAt: ctx.now,
    inputKeptUntil: job.contentExpiresAt,
    model: job.model,
  }
  const record = JSON.stringify(letter)
  ctx.db.insert(deadLetterOutbox).values({ jobId: job.id, record }).onConflictDoNothing().run()
}

const selectQueued = statement((db) => db.select().from(deadLetterOutbox).limit(arg('limit')).prepare())

export const queuedDeadLetters = (db: Db, limit: number): JobDeadLetter[] =>
  selectQueued(db)
    .all({ limit })
    .map(({ record }) => Stored.parse(JSON.parse(record)))

export const dropDeadLetter = (db: Db, jobId: string) => {
  db.delete(deadLetterOutbox).where(eq(deadLetterOutbox.jobId, jobId)).run()
}
