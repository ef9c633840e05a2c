/** The ledger's database as its verbs see it: drizzle over the object's SQLite, with the rows written counted. */
import { getTableColumns, type Placeholder, sql } from 'drizzle-orm'
import { type DrizzleSqliteDODatabase, drizzle } from 'drizzle-orm/durable-sqlite'
import type { SQLiteTable } from 'drizzle-orm/sqlite-core'

export type Db = DrizzleSqliteDODatabase

/** What a ledger has cost so far in this life of the object. */
export interface Costs {
  calls: number
  rowsWritten: number
}

/** Opens the database; every statement's `rowsWritten` is added to `costs`. */
export function openStore(storage: DurableObjectStorage, costs: Costs): Db {
  const sql = {
    exec(query: string, ...bindings: unknown[]) {
      const cursor = storage.sql.exec(query, ...bindings)
      costs.rowsWritten += cursor.rowsWritten
      return cursor
    },
  }
  const metered = { sql, transactionSync: <T>(body: () => T) => storage.transactionSync(body) }
  return drizzle(metered as unknown as DurableObjectStorage, { casing: 'snake_case' })
}

/**
 * A statement that is built once for each database: building one costs about a hundred times what filling it in does, and a ledger
 * runs the same few all day. Its values are `sql.placeholder`s.
 */
export function statement<S>(build: (db: Db) => S): (db: Db) => S {
  const built = new WeakMap<Db, S>()
  return (db) => {
    const known = built.get(db)
    if (known) return known
    const fresh = build(db)
    built.set(db, fresh)
    return fresh
  }
}

export const arg = (name: string) => sql.placeholder(name)

/** A placeholder for each column of a table: the values of an insert of whole rows. */
export const rowOf = <T extends SQLiteTable>(table: T) =>
  Object.fromEntries(Object.keys(getTableColumns(table)).map((name) => [name, arg(name)])) as {
    [K in keyof T['$inferSelect']]: Placeholder
  }
