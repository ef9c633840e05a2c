/**
 * What is written about a tenant from beside its operators' acts: only while it is there. Its deletion says so in the directory first,
 * so that nobody who is late brings anything back.
 */
import { and, eq, getTableColumns, ne, type SQL, sql } from 'drizzle-orm'
import type { SQLiteTable } from 'drizzle-orm/sqlite-core'
import { OPERATORS_LEDGER } from '../operators.ts'
import type { Directory } from './open.ts'
import { tenants } from './schema.ts'
import { partsOf } from './tenants.ts'

/** Of a row of `tenants`. */
export const isLiving = (tenantId: string): SQL | undefined =>
  and(eq(tenants.id, tenantId), ne(tenants.status, 'deleting'))

/** The same for the tenant of a ledger: one that was created again under the old ID has another. */
export function isLivingAs(ledger: string): SQL | undefined {
  const { tenantId, generation } = partsOf(ledger)
  return and(isLiving(tenantId), eq(tenants.generation, generation))
}

/** That of the operators is nobody's to delete. */
export async function livesAs(directory: Directory, ledger: string): Promise<boolean> {
  if (ledger === OPERATORS_LEDGER) return true
  const row = await directory.select({ id: tenants.id }).from(tenants).where(isLivingAs(ledger)).get()
  return row !== undefined
}

/** Null, which fails the transaction whole where the column takes none, unless the condition holds. */
export const provided = <T>(condition: SQL, value: unknown) =>
  sql<T>`case when ${condition} then ${value} end`

/** A key for something that is to belong to the tenant. */
export const keyWhileLiving = (tenantId: string, key: string) =>
  provided<string>(sql`exists (select 1 from ${tenants} where ${isLiving(tenantId)})`, key)

/** The row, for an `insert … select`; none unless the condition on `tenants` holds. */
export function rowWhere<T extends SQLiteTable>(
  directory: Directory,
  table: T,
  row: T['$inferSelect'],
  condition: SQL | undefined,
) {
  const columns = Object.entries(getTableColumns(table))
  const fields = columns.map(([name, column]) => [
    name,
    sql`${sql.param((row as Record<string, unknown>)[name], column)}`.as(name),
  ])
  return directory.select(Object.fromEntries(fields)).from(tenants).where(condition)
}
