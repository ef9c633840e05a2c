/** Dead letters in the directory: what operators work through. */
import { and, desc, eq, lt } from 'drizzle-orm'
import type { DeadLetterQuery } from '../../openapi/dead-letters.ts'
import type { Directory } from './open.ts'
import { deadLetters } from './schema.ts'

export type DeadLetterRow = typeof deadLetters.$inferSelect

/** The ID of a batch's letter follows from its own, so that there is one at most. */
export const letterOfBatch = (batchId: string) => batchId.replace(/^batch_/, 'dl_')

export const findDeadLetter = (directory: Directory, id: string) =>
  directory.select().from(deadLetters).where(eq(deadLetters.id, id)).get()

/** Newest first; `limit + 1` rows tell the caller whether there are more. */
export const listDeadLetters = (
  directory: Directory,
  query: DeadLetterQuery,
  after: string | null,
  limit: number,
) =>
  directory
    .select()
    .from(deadLetters)
    .where(
      and(
        after ? lt(deadLetters.id, after) : undefined,
        query.status && eq(deadLetters.status, query.status),
        query.class ? eq(deadLetters.class, query.class) : undefined,
        query.tenant_id ? eq(deadLetters.tenantId, query.tenant_id) : undefined,
        query.queue ? eq(deadLetters.queue, query.queue) : undefined,
      ),
    )
    .orderBy(desc(deadLetters.id))
    .limit(limit + 1)

export const findDeadLetterOfJob = (directory: Directory, jobId: string) =>
  directory.select().from(deadLetters).where(eq(deadLetters.jobId, jobId)).get()

export const findDeadLetterOfBatch = (directory: Directory, batchId: string) =>
  findDeadLetter(directory, letterOfBatch(batchId))
