/** The ledger's database as its verbs see it: drizzle over the object's SQLite, with the rows written counted. */
import { type DrizzleSqliteDODatabase, drizzle } from 'drizzle-orm/durable-sqlite'

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
