/** What operators change about a tenant, each with its line in the audit log, in one D1 transaction that gives its standing a revision. */
import { eq, sql } from 'drizzle-orm'
import type { FieldError } from '../../openapi/common.ts'
import type { PlanInput } from '../../openapi/plan.ts'
import type { TenantStatus } from '../../openapi/tenant-words.ts'
import { contradictions, planOf } from '../plan.ts'
import type { TenantStanding } from '../tenant-standing.ts'
import { provided } from './living.ts'
import type { Directory } from './open.ts'
import { type Act, findTenant, type TenantRow, traces } from './operations.ts'
import { clients, tenants } from './schema.ts'

const FIRST_GENERATION = 1
/** How often a change is made again because another came between. */
const MOST_TRIES = 10

/** A tenant that is not there yet. */
export const newcomer = (id: string, plan: PlanInput, createdAt: number): TenantRow => ({
  id,
  generation: FIRST_GENERATION,
  status: 'active',
  plan,
  standingRevision: 1,
  restoreEpoch: 0,
  held: false,
  createdAt,
})

/** What its ledger is to know of a tenant. */
export const standingFrom = (row: TenantRow, shard = 0): TenantStanding => ({
  tenantId: row.id,
  shard,
  plan: planOf(row.plan),
  revision: row.standingRevision,
  status: row.status,
  restoreEpoch: row.restoreEpoch,
  held: row.held,
})

const nextRevision = sql`${tenants.standingRevision} + 1`

/**
 * Changes the limits that are named; of two changes at once neither is lost, and what both come to is checked as one plan. Answers
 * where it contradicts itself; nothing is changed then, nor for a tenant that is not there.
 */
export async function changePlan(
  directory: Directory,
  id: string,
  patch: PlanInput,
  act: Act,
): Promise<FieldError[]> {
  for (let tries = 1; ; tries++) {
    const row = await findTenant(directory, id)
    if (!row) return []
    const plan = { ...row.plan, ...patch }
    const faults = contradictions(plan, patch)
    if (faults.length > 0) return faults
    try {
      await writePlan(directory, row, plan, act)
      return []
    } catch (error) {
      const now = await findTenant(directory, id)
      if (now?.standingRevision === row.standingRevision || tries === MOST_TRIES) throw error
    }
  }
}

/** Fails, and changes nothing, if the tenant is not as it was read. */
const writePlan = (directory: Directory, row: TenantRow, plan: PlanInput, act: Act) => {
  const asRead = eq(tenants.standingRevision, row.standingRevision)
  return directory.batch([
    directory
      .update(tenants)
      .set({ plan: provided<PlanInput>(asRead, JSON.stringify(plan)), standingRevision: nextRevision })
      .where(eq(tenants.id, row.id)),
    ...traces(directory, 'tenant.change_limits', row.id, act),
  ])
}

const staying = sql`${tenants.status} <> 'deleting'`

/**
 * The tombstone, and the end of the tenant's clients with it. Fails, and changes nothing, if it is being deleted already: of two operators
 * at once one is on record.
 */
export async function beginDeletion(directory: Directory, id: string, act: Act): Promise<void> {
  const disabledAt = sql`coalesce(${clients.disabledAt}, ${act.at})`
  await directory.batch([
    directory
      .update(tenants)
      .set({ status: provided<TenantStatus>(staying, 'deleting'), standingRevision: nextRevision })
      .where(eq(tenants.id, id)),
    directory.update(clients).set({ disabledAt }).where(eq(clients.tenantId, id)),
    ...traces(directory, 'tenant.delete', id, act),
  ])
}

/** Suspends or resumes. Fails, and changes nothing, for a tenant that is being deleted: it does not come back. */
export async function changeStatus(
  directory: Directory,
  id: string,
  status: Exclude<TenantStatus, 'deleting'>,
  act: Act,
): Promise<void> {
  await directory.batch([
    directory
      .update(tenants)
      .set({ status: provided<TenantStatus>(staying, status), standingRevision: nextRevision })
      .where(eq(tenants.id, id)),
    ...traces(directory, status === 'suspended' ? 'tenant.suspend' : 'tenant.resume', id, act),
  ])
}
