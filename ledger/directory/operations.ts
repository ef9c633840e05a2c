/** What operators do to tenants and clients, each with its line in the audit log, in one D1 transaction. */
import { desc, eq, lt } from 'drizzle-orm'
import type { Plan } from '../../openapi/ops.ts'
import type { Directory } from './open.ts'
import { auditLog, clients, tenants } from './schema.ts'

export type TenantRow = typeof tenants.$inferSelect

/** Who did something, and why. */
export interface Act {
  readonly operator: string
  readonly reason: string
  readonly at: number
}

const audit = (directory: Directory, action: string, target: string, { operator, reason, at }: Act) =>
  directory.insert(auditLog).values({ at, operator, action, target, reason })

/** False when there is a tenant of that ID already. */
export async function addTenant(directory: Directory, id: string, plan: Plan, act: Act): Promise<boolean> {
  if (await findTenant(directory, id)) return false
  const row: TenantRow = { id, generation: 1, status: 'active', plan, createdAt: act.at }
  await directory.batch([directory.insert(tenants).values(row), audit(directory, 'tenant.create', id, act)])
  return true
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
    audit(directory, 'tenant.change_limits', id, act),
  ])
}

export async function addClient(
  directory: Directory,
  row: typeof clients.$inferInsert,
  act: Act,
): Promise<void> {
  await directory.batch([
    directory.insert(clients).values(row),
    audit(directory, 'client.create', row.id, act),
  ])
}
