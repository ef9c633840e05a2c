/** Ending dead letters: each with its line in the audit log, in one D1 transaction, and once. */
import { and, asc, eq, gt, gte, inArray, lt, type SQL, sql } from 'drizzle-orm'
import type { DeadLetterStatus, RedriveByFilter } from '../../openapi/dead-letters.ts'
import { idFloor } from '../ids.ts'
import type { DeadLetterRow } from './dead-letters.ts'
import type { Directory } from './open.ts'
import { type Act, traces } from './operations.ts'
import { deadLetters } from './schema.ts'

/** Of a letter whose status is not one of these this is null, which fails the transaction whole. */
const ending = (status: 'redriven' | 'resolved', from: DeadLetterStatus[]): SQL<'redriven' | 'resolved'> =>
  sql`case when ${inArray(deadLetters.status, from)} then ${status} end`

/**
 * By now the new job is there, so it goes on record even if the letter was resolved meanwhile. Throws, and changes nothing, if
 * another redrive came first.
 */
export async function markRedriven(
  directory: Directory,
  id: string,
  newJobId: string,
  act: Act,
): Promise<void> {
  const set = { redrivenBy: act.operator, redrivenAt: act.at, redriveNote: act.reason, newJobId }
  await directory.batch([
    directory
      .update(deadLetters)
      .set({ ...set, status: ending('redriven', ['open', 'resolved']) })
      .where(eq(deadLetters.id, id)),
    ...traces(directory, 'dead_letter.redrive', id, act),
  ])
}

/** Throws, and changes nothing, if the letter is not open. */
export async function markResolved(directory: Directory, id: string, act: Act): Promise<void> {
  await directory.batch([
    directory
      .update(deadLetters)
      .set({ status: ending('resolved', ['open']) })
      .where(eq(deadLetters.id, id)),
    ...traces(directory, 'dead_letter.resolve', id, act),
  ])
}

type Filter = Pick<RedriveByFilter, 'class' | 'tenant_id' | 'queue' | 'created_after' | 'created_before'>

/** Oldest first; `limit + 1` rows tell the caller whether there are more. */
export const openDeadLetters = (
  directory: Directory,
  filter: Filter,
  after: string | null,
  limit: number,
): Promise<DeadLetterRow[]> =>
  directory
    .select()
    .from(deadLetters)
    .where(
      and(
        eq(deadLetters.status, 'open'),
        after ? gt(deadLetters.id, after) : undefined,
        filter.class ? eq(deadLetters.class, filter.class) : undefined,
        filter.tenant_id ? eq(deadLetters.tenantId, filter.tenant_id) : undefined,
        filter.queue ? eq(deadLetters.queue, filter.queue) : undefined,
        filter.created_after ? gte(deadLetters.createdAt, Date.parse(filter.created_after)) : undefined,
        filter.created_before ? lt(deadLetters.createdAt, Date.parse(filter.created_before)) : undefined,
      ),
    )
    .orderBy(asc(deadLetters.id))
    .limit(limit + 1)

/** Deletes up to `limit` letters written before this moment; their lines in the audit log stay. */
export async function deleteDeadLettersBefore(
  directory: Directory,
  before: number,
  limit: number,
): Promise<number> {
  const old = directory
    .select({ id: deadLetters.id })
    .from(deadLetters)
    // The ID is as old as the first record; a letter that was written anew later is younger than its ID.
    .where(and(lt(deadLetters.id, idFloor('dl', before)), lt(deadLetters.createdAt, before)))
    .limit(limit)
  const { meta } = await directory.delete(deadLetters).where(inArray(deadLetters.id, old))
  return meta.changes
}
