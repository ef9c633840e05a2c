/** Snapshots of the ledgers in the directory, and which of them have gone quiet with work open. */
import { and, asc, desc, gt, gte, lt } from 'drizzle-orm'
import { isLivingAs, rowWhere } from './living.ts'
import type { Directory } from './open.ts'
import { rollUps, usageDays } from './schema.ts'

export type RollUp = typeof rollUps.$inferSelect
export type UsageOfDay = typeof usageDays.$inferSelect

export interface Snapshot {
  readonly rollUp: RollUp
  /** Those that have changed since the one before. */
  readonly days: readonly UsageOfDay[]
}

/**
 * Absolute values with a revision, in one transaction: writing them again, or late, changes nothing. Of a tenant that is being deleted
 * nothing is written: its figures are buried.
 */
export async function writeSnapshot(directory: Directory, { rollUp, days }: Snapshot): Promise<void> {
  const { ledger: _, ...set } = rollUp
  await directory.batch([
    directory
      .insert(rollUps)
      .select(rowWhere(directory, rollUps, rollUp, isLivingAs(rollUp.ledger)))
      .onConflictDoUpdate({ target: rollUps.ledger, set, setWhere: lt(rollUps.revision, rollUp.revision) }),
    ...days.map((day) => writeDay(directory, day)),
  ])
}

function writeDay(directory: Directory, day: UsageOfDay) {
  const { figures, revision } = day
  return directory
    .insert(usageDays)
    .select(rowWhere(directory, usageDays, day, isLivingAs(day.ledger)))
    .onConflictDoUpdate({
      target: [usageDays.ledger, usageDays.day],
      set: { figures, revision },
      setWhere: lt(usageDays.revision, revision),
    })
}

/** Names of ledgers with open work that have not been heard of since `before`, the longest silent first. */
export async function silentLedgers(directory: Directory, before: number, limit: number): Promise<string[]> {
  const rows = await directory
    .select({ ledger: rollUps.ledger })
    .from(rollUps)
    .where(and(gt(rollUps.openJobs, 0), lt(rollUps.updatedAt, before)))
    .orderBy(asc(rollUps.updatedAt))
    .limit(limit)
  return rows.map(({ ledger }) => ledger)
}

/** Names of ledgers with open work, in the order of their names, from behind `after` on. */
export async function busyLedgers(
  directory: Directory,
  after: string | null,
  limit: number,
): Promise<string[]> {
  const rows = await directory
    .select({ ledger: rollUps.ledger })
    .from(rollUps)
    .where(and(gt(rollUps.openJobs, 0), after === null ? undefined : gt(rollUps.ledger, after)))
    .orderBy(asc(rollUps.ledger))
    .limit(limit)
  return rows.map(({ ledger }) => ledger)
}

/** Names of ledgers that have been heard of since, those with most open work first. */
export async function ledgersActiveSince(
  directory: Directory,
  since: number,
  limit: number,
): Promise<string[]> {
  const rows = await directory
    .select({ ledger: rollUps.ledger })
    .from(rollUps)
    .where(gte(rollUps.updatedAt, since))
    .orderBy(desc(rollUps.openJobs), asc(rollUps.ledger))
    .limit(limit)
  return rows.map(({ ledger }) => ledger)
}
