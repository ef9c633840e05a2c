/** What operators do to tenants, each with its line in the audit log, in one D1 transaction. */
import { desc, eq, inArray, lt, sql } from 'drizzle-orm'
import type { RequestKey } from '../idempotency.ts'
import type { Directory } from './open.ts'
import { auditLog, formerTenants, operatorKeys, tenants } from './schema.ts'

export type TenantRow = typeof tenants.$inferSelect

/** Who did something, and why. */
export interface Act {
  readonly operator: string
  readonly reason: string
  readonly at: number
  /** What a repetition of the request under its key is answered with; null without a key. */
  readonly kept: { key: RequestKey; response: string } | null
}

/** The rows that every act leaves, in the transaction that does the work: a second act under one key fails whole. */
export function traces(
  directory: Directory,
  action: string,
  target: string,
  { operator, reason, at, kept }: Act,
) {
  const audited = directory.insert(auditLog).values({ at, operator, action, target, reason })
  if (!kept) return [audited]
  const { hash: keyHash, fingerprint } = kept.key
  const row = { keyHash, fingerprint, response: kept.response, createdAt: at }
  return [audited, directory.insert(operatorKeys).values(row)]
}

/** The line of an act whose work is done elsewhere: written before it, so that nothing is done without one. */
export async function recordAct(
  directory: Directory,
  action: string,
  target: string,
  act: Omit<Act, 'kept'>,
): Promise<void> {
  await directory.batch([directory.insert(auditLog).values({ ...act, action, target })])
}

/** The first answer under an operator's key, with the fingerprint of its request. */
export const findOperatorKey = (directory: Directory, hash: string) =>
  directory.select().from(operatorKeys).where(eq(operatorKeys.keyHash, hash)).get()

const KEYS_KEPT_MS = 86_400_000
const KEYS_PER_ROUND = 500

/** Keys live a day; in rounds of a bounded size. */
export async function dropOldOperatorKeys(directory: Directory, now: number): Promise<void> {
  const old = directory
    .select({ keyHash: operatorKeys.keyHash })
    .from(operatorKeys)
    .where(lt(operatorKeys.createdAt, now - KEYS_KEPT_MS))
    .limit(KEYS_PER_ROUND)
  await directory.delete(operatorKeys).where(inArray(operatorKeys.keyHash, old))
}

/** A tenant whose ID another had before gets the generation that follows. */
export async function addTenant(directory: Directory, row: TenantRow, act: Act): Promise<void> {
  const former = directory
    .select({ generation: formerTenants.generation })
    .from(formerTenants)
    .where(eq(formerTenants.id, row.id))
  const generation = sql`${row.generation} + coalesce((${former}), 0)`
  await directory.batch([
    directory.insert(tenants).values({ ...row, generation }),
    ...traces(directory, 'tenant.create', row.id, act),
  ])
}

export const findTenant = (directory: Directory, id: string): Promise<TenantRow | undefined> =>
  directory.select().from(tenants).where(eq(tenants.id, id)).get()

/** In the reverse order of their IDs; `limit + 1` rows tell the caller whether there are more. */
export const listTenants = (
  directory: Directory,
  after: string | null,
  limit: number,
): Promise<TenantRow[]> =>
  directory
    .select()
    .from(tenants)
    .where(after ? lt(tenants.id, after) : undefined)
    .orderBy(desc(tenants.id))
    .limit(limit + 1)
