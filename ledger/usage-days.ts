/** Usage by day, kind and model: collected while a transaction runs, written once at its end. Outlives the jobs' rows. */
import { and, eq, gt, sql } from 'drizzle-orm'
import type { LedgerContext } from './context.ts'
import { added, type SomeCounts } from './counts.ts'
import type { JobRecord } from './jobs.ts'
import { usageDays } from './schema.ts'
import { arg, type Db, rowOf, statement } from './store.ts'

export type UsageDay = typeof usageDays.$inferSelect
/** What customers are told of a day. */
export type Sums = Omit<UsageDay, 'day' | 'kind' | 'model' | 'changes' | 'counts'>

/** UTC, such as `20261130`. */
export const dayOf = (at: number): number =>
  Number(new Date(at).toISOString().slice(0, 10).replaceAll('-', ''))

export const noUsage: Sums = {
  jobs: 0,
  items: 0,
  succeeded: 0,
  failed: 0,
  inputTokens: 0,
  outputTokens: 0,
  costMicroUsd: 0,
}
export const usageNames = Object.keys(noUsage) as (keyof Sums)[]

/** Adds figures of a job or a batch to their day, which is today: that of its end, of the attempt's, or of the booking. */
export function countUsage(
  { tally, now }: LedgerContext,
  { kind, model }: Pick<JobRecord, 'kind' | 'model'>,
  more: Partial<Sums>,
  counts: SomeCounts = {},
): void {
  const day = dayOf(now)
  const key = `${day} ${kind} ${model}`
  const row = tally.usage.get(key) ?? { day, kind, model, ...noUsage, changes: 1, counts: {} }
  const sums = Object.fromEntries(
    usageNames.map((name) => [name, row[name] + (more[name] ?? 0)]),
  ) as unknown as Sums
  tally.usage.set(key, { ...row, ...sums, counts: added(row.counts, counts) })
}

const oneDay = and(
  eq(usageDays.day, arg('day')),
  eq(usageDays.kind, arg('kind')),
  eq(usageDays.model, arg('model')),
)
const selectCounts = statement((db) =>
  db.select({ counts: usageDays.counts }).from(usageDays).where(oneDay).prepare(),
)

const addDay = statement((db) =>
  db
    .insert(usageDays)
    .values(rowOf(usageDays))
    .onConflictDoUpdate({
      target: [usageDays.day, usageDays.kind, usageDays.model],
      set: {
        ...Object.fromEntries(
          [...usageNames, 'changes' as const].map((name) => [
            name,
            sql`${usageDays[name]} + ${sql.raw(`excluded.${snakeCase(name)}`)}`,
          ]),
        ),
        counts: sql`excluded.counts`,
      },
    })
    .prepare(),
)

/** As columns are named, and members in JSON. */
export const snakeCase = (name: string) => name.replaceAll(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`)

/** Writes what the transaction collected: a row for each kind and model, however many jobs it was. */
export function keepUsage(db: Db, usage: ReadonlyMap<string, UsageDay>): void {
  for (const row of usage.values()) {
    const known = selectCounts(db).get(row)?.counts ?? {}
    addDay(db).run({ ...row, counts: added(known, row.counts) })
  }
}

const selectAfter = statement((db) =>
  db
    .select()
    .from(usageDays)
    .where(gt(usageDays.day, arg('day')))
    .prepare(),
)
/** Of the days after this one. */
export const usageAfter = (db: Db, day: number): UsageDay[] => selectAfter(db).all({ day })
