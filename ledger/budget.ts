/**
 * A tenant's monthly budget, in integer micro-USD. What was booked stands in the table `spend`; what is set aside follows from the
 * rows of jobs and chunks, so that no reservation can leak. Its sum is kept in memory, and made again whenever the ledger starts.
 */
import { eq, gt, sql } from 'drizzle-orm'
import type { LedgerContext } from './context.ts'
import { batchChunks, jobs, spend } from './schema.ts'
import { arg, type Db, statement } from './store.ts'
import { microUsd } from './wire.ts'

/** UTC, such as `202611`. */
export type Month = number

export function monthOf(at: number): Month {
  const date = new Date(at)
  return date.getUTCFullYear() * 100 + date.getUTCMonth() + 1
}

/** What is set aside by month. */
export type Reservations = Map<Month, number>

const reservedIn = (table: typeof jobs | typeof batchChunks) =>
  statement((db) =>
    db
      .select({ month: table.reservedMonth, total: sql<number>`sum(${table.reservedMicroUsd})` })
      .from(table)
      .where(gt(table.reservedMicroUsd, 0))
      .groupBy(table.reservedMonth)
      .prepare(),
  )
const [reservedByJobs, reservedByChunks] = [reservedIn(jobs), reservedIn(batchChunks)]

export function readReservations(db: Db): Reservations {
  const sums: Reservations = new Map()
  for (const { month, total } of [...reservedByJobs(db).all(), ...reservedByChunks(db).all()])
    sums.set(month ?? 0, (sums.get(month ?? 0) ?? 0) + total)
  return sums
}

const selectSpent = statement((db) =>
  db
    .select({ microUsd: spend.microUsd })
    .from(spend)
    .where(eq(spend.month, arg('month')))
    .prepare(),
)
export const spentIn = (db: Db, month: Month): number => selectSpent(db).get({ month })?.microUsd ?? 0

const addSpend = statement((db) =>
  db
    .insert(spend)
    .values({ month: arg('month'), microUsd: arg('microUsd') })
    .onConflictDoUpdate({
      target: spend.month,
      set: { microUsd: sql`${spend.microUsd} + excluded.micro_usd` },
    })
    .prepare(),
)

/** Books what an attempt cost to the month in which it was set aside. */
export function bookSpend({ db }: LedgerContext, month: Month, cost: number): void {
  if (cost > 0) addSpend(db).run({ month, microUsd: cost })
}

/** Whether this much more fits into what is left of the present month's budget. */
export function fitsBudget(ctx: LedgerContext, more: number): boolean {
  const { monthly_budget_usd: budgetUsd } = ctx.plan
  if (budgetUsd === null || more === 0) return true
  const month = monthOf(ctx.now)
  const reserved = (ctx.reserved.get(month) ?? 0) + (ctx.tally.reserved.get(month) ?? 0)
  return spentIn(ctx.db, month) + reserved + more <= microUsd(budgetUsd)
}

interface Reserving {
  readonly reservedMicroUsd: number
  readonly reservedMonth: Month | null
}

/** Sets aside for one attempt in the present month. Whether it fits is asked before. */
export function reserve(ctx: LedgerContext, estimate: number): Reserving {
  if (estimate === 0) return { reservedMicroUsd: 0, reservedMonth: null }
  const reservedMonth = monthOf(ctx.now)
  count(ctx, reservedMonth, estimate)
  return { reservedMicroUsd: estimate, reservedMonth }
}

/** Gives back up to this much of what is held; nothing to write when nothing is. */
export function reduceReservation(ctx: LedgerContext, held: Reserving, by: number): Partial<Reserving> {
  const less = Math.min(by, held.reservedMicroUsd)
  if (less === 0) return {}
  count(ctx, held.reservedMonth ?? 0, -less)
  return { reservedMicroUsd: held.reservedMicroUsd - less }
}

/** Gives back what a job holds; nothing to write when it holds nothing. The month stays, for what is booked later. */
export const freeReservation = (ctx: LedgerContext, job: Reserving): Partial<Reserving> =>
  reduceReservation(ctx, job, job.reservedMicroUsd)

function count({ tally }: LedgerContext, month: Month, change: number): void {
  tally.reserved.set(month, (tally.reserved.get(month) ?? 0) + change)
}

/** Takes what a committed transaction changed over into the sum in memory. */
export function applyReservations(reserved: Reservations, changes: Reservations): void {
  for (const [month, change] of changes) {
    const total = (reserved.get(month) ?? 0) + change
    if (total === 0) reserved.delete(month)
    else reserved.set(month, total)
  }
}
