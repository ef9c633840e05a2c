/** The directory's tables in memory, on Node's SQLite: for what takes hours, or several isolates. */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { DatabaseSync, type SQLInputValue } from 'node:sqlite'
import { drizzle } from 'drizzle-orm/sqlite-proxy'
import type { Directory } from './open.ts'

const tables = join(import.meta.dirname, '../../migrations/directory/0000_directory.sql')

export function memoryDirectory(): Directory {
  const database = new DatabaseSync(':memory:')
  database.exec(readFileSync(tables, 'utf8'))
  const run = (sql: string, parameters: unknown[], method: string) => {
    const prepared = database.prepare(sql)
    prepared.setReturnArrays(true)
    const rows = prepared.all(...(parameters as SQLInputValue[])) as unknown as unknown[][]
    return { rows: method === 'get' ? (rows[0] as unknown[]) : rows }
  }
  const proxied = drizzle(
    async (sql, parameters, method) => run(sql, parameters, method),
    async (queries) => {
      database.exec('begin')
      const results = queries.map(({ sql, params, method }) => run(sql, params, method))
      database.exec('commit')
      return results
    },
    { casing: 'snake_case' },
  )
  return proxied as unknown as Directory
}
