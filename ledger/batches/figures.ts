/** What the chunks of a batch add up to. Counts are kept nowhere else, so they cannot disagree. */
import { eq, sql } from 'drizzle-orm'
import type { BatchStatusReason } from '../../openapi/batch-states.ts'
import type { LedgerContext } from '../context.ts'
import { batchChunks } from '../schema.ts'
import { arg, statement } from '../store.ts'
import { type BatchCounts, isBatchOver } from './batch.ts'
import type { BatchRow } from './rows.ts'
import type { BatchUsage } from './snapshots.ts'

const c = batchChunks
const ended = sql`(${c.succeeded} + ${c.failed} + ${c.cancelled} + ${c.expired})`
const sum = (what: unknown) => sql<number>`coalesce(sum(${what}), 0)`
const having = (condition: unknown) => sql<number>`coalesce(sum(case when ${condition} then 1 else 0 end), 0)`
const pending = sql`${c.items} > ${ended}`

const selectSums = statement((db) =>
  db
    .select({
      total: sum(c.items),
      succeeded: sum(c.succeeded),
      failed: sum(c.failed),
      cancelled: sum(c.cancelled),
      expired: sum(c.expired),
      inputTokens: sum(c.inputTokens),
      outputTokens: sum(c.outputTokens),
      costMicroUsd: sum(c.costMicroUsd),
      stalled: having(sql`${c.stalledAt} <= ${arg('now')} and ${pending} and ${c.path} = 'batch'`),
      // One of which nobody knows whether it arrived may be at its provider.
      waiting: having(sql`${c.state} in ('submitted', 'unknown') and ${pending} and ${c.path} = 'batch'`),
      toSubmit: having(sql`${c.state} in ('planned', 'submitting') and ${c.path} = 'batch'`),
      single: having(sql`${c.path} = 'jobs' and ${pending}`),
    })
    .from(c)
    .where(eq(c.batchId, arg('batchId')))
    .prepare(),
)
type Sums = NonNullable<ReturnType<ReturnType<typeof selectSums>['get']>>

export interface Figures {
  readonly counts: BatchCounts
  readonly usage: BatchUsage | null
  readonly statusReason: BatchStatusReason | null
}

export function figuresOf({ db, now }: Pick<LedgerContext, 'db' | 'now'>, batch: BatchRow): Figures {
  const sums = selectSums(db).get({ batchId: batch.id, now }) as Sums
  const { total, succeeded, failed, cancelled, expired, inputTokens, outputTokens, costMicroUsd } = sums
  const left = total - succeeded - failed - cancelled - expired
  const used = inputTokens + outputTokens + costMicroUsd > 0
  return {
    counts: { total, pending: left, succeeded, failed, cancelled, expired },
    usage: used ? { inputTokens, outputTokens, costMicroUsd } : null,
    statusReason: reasonOf(batch, sums),
  }
}

/** What kept some or all of a batch that has ended from running; that it was too dear only the report says. */
const lackOf = ({ invalidItems, duplicateItems }: BatchRow): BatchStatusReason | null =>
  invalidItems + duplicateItems > 0 ? 'invalid_items' : null

function reasonOf(batch: BatchRow, sums: Sums): BatchStatusReason | null {
  if (isBatchOver(batch.status)) return lackOf(batch)
  if (!batch.planned) return 'planning'
  if (sums.stalled > 0) return 'stalled'
  if (sums.waiting > 0) return 'waiting_for_provider'
  if (sums.toSubmit > 0) return 'submitting'
  return sums.single > 0 ? 'running_individually' : 'collecting'
}
