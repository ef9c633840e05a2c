/** A ledger's tables in memory, on Node's SQLite: for what must go wrong on purpose around them. */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { DatabaseSync, type SQLInputValue, type SQLOutputValue } from 'node:sqlite'
import { type Db, openStore } from './store.ts'

const tables = join(import.meta.dirname, '../migrations/ledger/0000_ledger.sql')

export const memoryStore = (): Db => openStore(memoryStorage(), { calls: 0, rowsWritten: 0 })

/** What of a Durable Object's storage is a database. */
export function memoryStorage(): DurableObjectStorage {
  const database = new DatabaseSync(':memory:')
  database.exec(readFileSync(tables, 'utf8'))
  const exec = (query: string, ...values: SQLInputValue[]) => {
    const prepared = database.prepare(query)
    const names = prepared.columns().map(({ name }) => name)
    prepared.setReturnArrays(true)
    // Two columns of a join may have one name, so a row is an array first.
    const rows = prepared.all(...values) as unknown as SQLOutputValue[][]
    const named = () => rows.map((row) => Object.fromEntries(row.map((value, at) => [names[at], value])))
    return { rowsWritten: 0, toArray: named, raw: () => ({ toArray: () => rows }) }
  }
  const storage = {
    sql: { exec, databaseSize: 0 },
    kv: new NotesInMemory(),
    transactionSync: <T>(body: () => T) => inTransaction(database, body),
  }
  return storage as unknown as DurableObjectStorage
}

/** What lies beside the tables. */
class NotesInMemory {
  readonly #notes = new Map<string, unknown>()
  get = (key: string) => structuredClone(this.#notes.get(key))
  put = (key: string, value: unknown) => void this.#notes.set(key, structuredClone(value))
  delete = (key: string) => this.#notes.delete(key)
  clear = () => this.#notes.clear()
}

/** What throws is rolled back, also within another transaction. */
function inTransaction<T>(database: DatabaseSync, body: () => T): T {
  database.exec('savepoint transaction_sync')
  try {
    return body()
  } catch (error) {
    database.exec('rollback to transaction_sync')
    throw error
  } finally {
    database.exec('release transaction_sync')
  }
}
