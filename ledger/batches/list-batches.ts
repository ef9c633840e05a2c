/** Lists of batches. */
import { and, desc, eq, gte, lt } from 'drizzle-orm'
import type { KindName } from '../../catalog/kind.ts'
import type { BatchStatus } from '../../openapi/batch-states.ts'
import type { LedgerContext } from '../context.ts'
import { idFloor } from '../ids.ts'
import { done, type Outcome } from '../replies.ts'
import { batches } from '../schema.ts'
import { batchSnapshot } from './rows.ts'
import type { BatchesPage } from './snapshots.ts'

export interface BatchFilter {
  readonly status: BatchStatus | null
  readonly kind: KindName | null
  readonly createdAfter?: number | null
  readonly createdBefore?: number | null
}

/** Newest first; batches are few, so a page examines all that it must. */
export function listBatches(
  ctx: LedgerContext,
  filter: BatchFilter,
  after: string | null,
  limit: number,
): Outcome<BatchesPage> {
  const { status, kind, createdAfter = null, createdBefore = null } = filter
  const found = ctx.db
    .select()
    .from(batches)
    .where(
      and(
        after === null ? undefined : lt(batches.id, after),
        status === null ? undefined : eq(batches.status, status),
        kind === null ? undefined : eq(batches.kind, kind),
        createdAfter === null ? undefined : gte(batches.id, idFloor('batch', createdAfter + 1)),
        createdBefore === null ? undefined : lt(batches.id, idFloor('batch', createdBefore)),
      ),
    )
    .orderBy(desc(batches.id))
    .limit(limit + 1)
    .all()
  const page = found.slice(0, limit)
  const nextAfter = found.length > limit ? (page.at(-1)?.id ?? null) : null
  return done({ batches: page.map((batch) => batchSnapshot(ctx, batch)), nextAfter })
}
