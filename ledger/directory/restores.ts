/** What the directory does when a tenant's ledger is put back to a point in time, and when it may go on. */
import { and, eq, gt, sql } from 'drizzle-orm'
import type { Directory } from './open.ts'
import { type Act, traces } from './operations.ts'
import { deadLetters, tenants } from './schema.ts'

/** What became of the tenant's dead letters. */
export interface Revised {
  /** Written after the point, about failures that are forgotten. */
  readonly dropped: number
  /** Ended after the point by jobs that are forgotten. */
  readonly reopened: number
}

const ended = { redrivenBy: null, redrivenAt: null, redriveNote: null, newJobId: null }

/**
 * Begins another epoch, and holds the tenant: comes before the ledger is put back, so that whatever happens then, it lets nothing out
 * before it knows. A failure that is forgotten may come again, and its letter then is a new one.
 */
export async function beginRestore(
  directory: Directory,
  tenantId: string,
  to: number,
  act: Act,
): Promise<Revised> {
  const ofTenant = eq(deadLetters.tenantId, tenantId)
  const [dropped, reopened] = await directory.batch([
    directory.delete(deadLetters).where(and(ofTenant, gt(deadLetters.createdAt, to))),
    directory
      .update(deadLetters)
      .set({ ...ended, status: 'open' })
      .where(and(ofTenant, eq(deadLetters.status, 'redriven'), gt(deadLetters.redrivenAt, to))),
    directory
      .update(tenants)
      .set({ restoreEpoch: sql`${tenants.restoreEpoch} + 1`, held: true, standingRevision: next })
      .where(eq(tenants.id, tenantId)),
    ...traces(directory, 'tenant.restore', tenantId, act),
  ])
  return { dropped: dropped.meta.changes, reopened: reopened.meta.changes }
}

const next = sql`${tenants.standingRevision} + 1`

/** Lets a tenant that was held go on. */
export async function endHold(directory: Directory, tenantId: string, act: Act): Promise<void> {
  await directory.batch([
    directory.update(tenants).set({ held: false, standingRevision: next }).where(eq(tenants.id, tenantId)),
    ...traces(directory, 'tenant.release', tenantId, act),
  ])
}
