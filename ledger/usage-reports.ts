/** Usage over a range of days, added up by day, kind or model: integers only, so that every grouping comes to the same. */
import { and, asc, gte, lte, sql } from 'drizzle-orm'
import type { UsageGrouping } from '../openapi/usage.ts'
import { usageDays } from './schema.ts'
import type { Db } from './store.ts'
import type { Sums } from './usage-days.ts'

export interface UsageRange {
  /** Days such as `20261130`, both included. */
  readonly from: number
  readonly to: number
}

export interface UsageSum extends Sums {
  /** The day, kind, model or tenant. */
  readonly group: string | number
}

const sum = (column: keyof Sums) => sql<number>`sum(${usageDays[column]})`

export const usageBy = (db: Db, grouping: UsageGrouping, { from, to }: UsageRange): UsageSum[] =>
  db
    .select({
      group: usageDays[grouping],
      jobs: sum('jobs'),
      items: sum('items'),
      succeeded: sum('succeeded'),
      failed: sum('failed'),
      inputTokens: sum('inputTokens'),
      outputTokens: sum('outputTokens'),
      costMicroUsd: sum('costMicroUsd'),
    })
    .from(usageDays)
    .where(and(gte(usageDays.day, from), lte(usageDays.day, to)))
    .groupBy(usageDays[grouping])
    .orderBy(asc(usageDays[grouping]))
    .all()
