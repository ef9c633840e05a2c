/**
 * What the directory does when a tenant is deleted. Its row is the tombstone from the first moment on: it says so to everybody, and keeps the
 * ID from being used again. Each statement holds only while it stands, so that a step that comes late, or again, does no harm.
 */
import { and, asc, eq, notInArray, type SQL, sql } from 'drizzle-orm'
import { buriedFigures } from '../buried-figures.ts'
import { rowWhere } from './living.ts'
import type { Directory } from './open.ts'
import type { TenantRow } from './operations.ts'
import { nextRevision } from './orders.ts'
import type { Snapshot, UsageOfDay } from './roll-ups.ts'
import {
  clients,
  deadLetters,
  formerTenants,
  intakePauses,
  issuers,
  operatorKeys,
  rollUps,
  tenants,
  usageDays,
} from './schema.ts'

/** A tenant of one generation. */
export interface Departed {
  readonly tenantId: string
  readonly generation: number
}

const tombstone = ({ tenantId, generation }: Departed): SQL | undefined =>
  and(eq(tenants.id, tenantId), eq(tenants.generation, generation), eq(tenants.status, 'deleting'))

const whileDeleted = (departed: Departed): SQL =>
  sql`exists (select 1 from ${tenants} where ${tombstone(departed)})`

/** Those whose deletion is under way. */
export const deletingTenants = (directory: Directory, limit: number): Promise<TenantRow[]> =>
  directory.select().from(tenants).where(eq(tenants.status, 'deleting')).orderBy(asc(tenants.id)).limit(limit)

export async function isBeingDeleted(directory: Directory, departed: Departed): Promise<boolean> {
  const row = await directory.select({ id: tenants.id }).from(tenants).where(tombstone(departed)).get()
  return row !== undefined
}

/** What the tenant has in the directory, but for the tombstone and its figures. The audit log stays. */
export async function eraseRows(directory: Directory, departed: Departed): Promise<void> {
  const { tenantId } = departed
  const standing = whileDeleted(departed)
  await directory.batch([
    directory.delete(clients).where(and(eq(clients.tenantId, tenantId), standing)),
    directory.delete(issuers).where(and(eq(issuers.tenantId, tenantId), standing)),
    directory.delete(deadLetters).where(and(eq(deadLetters.tenantId, tenantId), standing)),
    directory.delete(intakePauses).where(and(eq(intakePauses.tenantId, tenantId), standing)),
    nextRevision(directory),
  ])
}

/** The answer that an operator's key has once what it was about is gone: the key is used up, and nothing is told any more. */
export const GONE = 'null'

/** Answers say whose something is by `tenant_id`, and tenants themselves by `id`. */
const tellsOf = (tenantId: string): SQL => sql`json_valid(${operatorKeys.response}) and exists (
  select 1 from json_tree(${operatorKeys.response}) as told where told.atom = ${tenantId}
    and (told.key = 'tenant_id' or (told.key = 'id' and ${operatorKeys.response} ->> 'object' = 'tenant'))
)`

/**
 * The ledger's figures become nobody's, in their last state: what was counted stays counted. Under the same name it comes to the same
 * however often it is done.
 */
export async function buryFigures(
  directory: Directory,
  departed: Departed,
  { rollUp, days }: Snapshot,
  name: string,
): Promise<void> {
  const { ledger } = rollUp
  const figures = buriedFigures(rollUp.figures)
  const nobodys = { ...rollUp, ledger: name, openJobs: 0, updatedAt: 0, figures }
  const { ledger: _, ...set } = nobodys
  const left = and(eq(usageDays.ledger, ledger), whileDeleted(departed))
  const known = directory.select({ day: usageDays.day }).from(usageDays).where(eq(usageDays.ledger, name))
  await directory.batch([
    directory
      .insert(rollUps)
      .select(rowWhere(directory, rollUps, nobodys, tombstone(departed)))
      .onConflictDoUpdate({ target: rollUps.ledger, set }),
    directory.delete(rollUps).where(and(eq(rollUps.ledger, ledger), whileDeleted(departed))),
    ...days.map((day) => buryDay(directory, departed, { ...day, ledger: name, tenantId: name })),
    directory
      .update(usageDays)
      .set({ ledger: name, tenantId: name })
      .where(and(left, notInArray(usageDays.day, known))),
    directory.delete(usageDays).where(left),
  ])
}

function buryDay(directory: Directory, departed: Departed, day: UsageOfDay) {
  const { figures, revision } = day
  return directory
    .insert(usageDays)
    .select(rowWhere(directory, usageDays, day, tombstone(departed)))
    .onConflictDoUpdate({ target: [usageDays.ledger, usageDays.day], set: { figures, revision } })
}

/** The end of the deletion: the ID is free, for another generation, and no repetition of a request is answered with what was. */
export async function letGo(directory: Directory, departed: Departed, now: number): Promise<void> {
  const { tenantId: id, generation } = departed
  const former = { id, generation, deletedAt: now }
  const row = rowWhere(directory, formerTenants, former, tombstone(departed))
  await directory.batch([
    directory.insert(formerTenants).select(row).onConflictDoUpdate({ target: formerTenants.id, set: former }),
    directory
      .update(operatorKeys)
      .set({ response: GONE })
      .where(and(tellsOf(id), whileDeleted(departed))),
    directory.delete(tenants).where(tombstone(departed)),
  ])
}
