/** Usage by day, kind and model: collected while a transaction runs, written once at its end. Outlives the jobs' rows. */
import { sql } from 'drizzle-orm'
import type { LedgerContext } from './context.ts'
import type { JobRecord } from './jobs.ts'
import { usageDays } from './schema.ts'
import { type Db, rowOf, statement } from './store.ts'

export type UsageDay = typeof usageDays.$inferSelect
type Figures = Omit<UsageDay, 'day' | 'kind' | 'model'>

/** UTC, such as `20261130`. */
export const dayOf = (at: number): number =>
  Number(new Date(at).toISOString().slice(0, 10).replaceAll('-', ''))

const none: Figures = {
  jobs: 0,
  items: 0,
  succeeded: 0,
  failed: 0,
  inputTokens: 0,
  outputTokens: 0,
  costMicroUsd: 0,
}
const names = Object.keys(none) as (keyof Figures)[]

/** Adds figures of a job or a batch to their day, which is today: that of its end, or of the booking. */
export function countUsage(
  { tally, now }: LedgerContext,
  { kind, model }: Pick<JobRecord, 'kind' | 'model'>,
  more: Partial<Figures>,
): void {
  const day = dayOf(now)
  const key = `${day} ${kind} ${model}`
  const row = tally.usage.get(key) ?? { day, kind, model, ...none }
  const sums = Object.fromEntries(
    names.map((name) => [name, row[name] + (more[name] ?? 0)]),
  ) as unknown as Figures
  tally.usage.set(key, { ...row, ...sums })
}

const addDay = statement((db) =>
  db
    .insert(usageDays)
    .values(rowOf(usageDays))
    .onConflictDoUpdate({
      target: [usageDays.day, usageDays.kind, usageDays.model],
      set: Object.fromEntries(
        names.map((name) => [name, sql`${usageDays[name]} + ${sql.raw(`excluded.${snakeCase(name)}`)}`]),
      ),
    })
    .prepare(),
)

const snakeCase = (name: string) => name.replaceAll(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`)

/** Writes what the transaction collected. */
export function keepUsage(db: Db, usage: ReadonlyMap<string, UsageDay>): void {
  for (const row of usage.values()) addDay(db).run(row)
}
