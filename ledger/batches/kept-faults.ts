/** What the report of a batch says of lines: rows of their own, which nothing but the report reads. */
import { and, asc, eq, gte } from 'drizzle-orm'
import { batchFaults, type LineError } from '../schema.ts'
import type { Db } from '../store.ts'
import type { FaultPage } from './faults.ts'
import { FAULTS_PAGE, MAX_FAULTS } from './plan.ts'

/** Writing a page again puts it in the place of the one before. */
export function writeFaults(db: Db, batchId: string, { page, faults }: FaultPage): void {
  db.insert(batchFaults)
    .values({ batchId, page, faults })
    .onConflictDoUpdate({ target: [batchFaults.batchId, batchFaults.page], set: { faults } })
    .run()
}

/** A batch has been planned: pages of so many lines that are no items stay, and what else is to be told follows them. */
export function endFaults(db: Db, batchId: string, invalidItems: number, told: readonly LineError[]): void {
  const first = Math.ceil(Math.min(invalidItems, MAX_FAULTS) / FAULTS_PAGE)
  dropFaults(db, batchId, first)
  for (let at = 0; at < told.length; at += FAULTS_PAGE) {
    const faults = told.slice(at, at + FAULTS_PAGE)
    writeFaults(db, batchId, { page: first + at / FAULTS_PAGE, faults })
  }
}

export function dropFaults(db: Db, batchId: string, fromPage = 0): void {
  db.delete(batchFaults)
    .where(and(eq(batchFaults.batchId, batchId), gte(batchFaults.page, fromPage)))
    .run()
}

/** By line. */
export const readFaults = (db: Db, batchId: string): LineError[] =>
  db
    .select({ faults: batchFaults.faults })
    .from(batchFaults)
    .where(eq(batchFaults.batchId, batchId))
    .orderBy(asc(batchFaults.page))
    .all()
    .flatMap(({ faults }) => faults)
    .toSorted((a, b) => a.line - b.line)
