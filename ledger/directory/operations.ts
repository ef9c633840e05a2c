/** What operators do to tenants and clients, each with its line in the audit log, in one D1 transaction. */
import { desc, eq, lt } from 'drizzle-orm'
import type { Plan } from '../../openapi/ops.ts'
import type { RequestKey } from '../idempotency.ts'
import type { Directory } from './open.ts'
import { auditLog, clients, operatorKeys, tenants } from './schema.ts'

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

/** The first answer under an operator's key, with the fingerprint of its request. */
export const findOperatorKey = (directory: Directory, hash: string) =>
  directory.select().from(operatorKeys).where(eq(operatorKeys.keyHash, hash)).get()

export async function addTenant(directory: Directory, row: TenantRow, act: Act): Promise<void> {
  await directory.batch([
    directory.insert(tenants).values(row),
    ...traces(directory, 'tenant.create', row.id, act),
  ])
}

export const findTenant = (directory: Directory, id: string) =>
  directory.select().from(tenants).where(eq(tenants.id, id)).get()

/** In the reverse order of their IDs; `limit + 1` rows tell the caller whether there are more. */
export const listTenants = (directory: Directory, after: string | null, limit: number) =>
  directory
    .select()
    .from(tenants)
    .where(after ? lt(tenants.id, after) : undefined)
    .orderBy(desc(tenants.id))
    .limit(limit + 1)

export async function changePlan(directory: Directory, id: string, plan: Plan, act: Act): Promise<void> {
  await directory.batch([
    directory.update(tenants).set({ plan }).where(eq(tenants.id, id)),
    ...traces(directory, 'tenant.change_limits', id, act),
  ])
}

export async function addClient(
  directory: Directory,
  row: typeof clients.$inferInsert,
  act: Act,
): Promise<void> {
  await directory.batch([
    directory.insert(clients).values(row),
    ...traces(directory, 'client.create', row.id, act),
  ])
}
