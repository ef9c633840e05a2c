/** The directory's tables in memory, on Node's SQLite, behind what D1 shows to a Worker. */
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { DatabaseSync, type SQLInputValue } from 'node:sqlite'
import { openDirectory } from './open.ts'
import { addTenant } from './operations.ts'
import { newcomer } from './tenant-changes.ts'

const migrations = join(import.meta.dirname, '../../migrations/directory')

export interface MemoryDirectory {
  readonly database: D1Database
  /** The SQL of all that was asked so far. */
  readonly asked: string[]
}

export function memoryDirectory(): MemoryDirectory {
  const sqlite = new DatabaseSync(':memory:')
  for (const file of readdirSync(migrations).filter((name) => name.endsWith('.sql')))
    sqlite.exec(readFileSync(join(migrations, file), 'utf8'))
  const asked: string[] = []
  const changes = () => Number(sqlite.prepare('select changes() as count').get()?.count)
  const statement = (sql: string, values: SQLInputValue[] = []) => {
    const run = (asArrays: boolean) => {
      asked.push(sql)
      const prepared = sqlite.prepare(sql)
      prepared.setReturnArrays(asArrays)
      return prepared.all(...values)
    }
    return {
      bind: (...bound: SQLInputValue[]) => statement(sql, bound),
      now: () => ({ results: run(false) }),
      all: async () => ({ results: run(false) }),
      run: async () => ({ results: run(false), meta: { changes: changes() } }),
      raw: async () => run(true),
    }
  }
  const prepare = (sql: string) => statement(sql)
  // In one turn: two at once are one after the other, as they are there.
  const batch = async (statements: ReturnType<typeof statement>[]) => {
    sqlite.exec('begin')
    try {
      const results = statements.map((one) => one.now())
      sqlite.exec('commit')
      return results
    } catch (error) {
      sqlite.exec('rollback')
      throw error
    }
  }
  return { database: { prepare, batch } as unknown as D1Database, asked }
}

/** One in which tenants of these IDs are there, of their first generation. */
export async function peopledDirectory(...ids: string[]): Promise<MemoryDirectory> {
  const memory = memoryDirectory()
  const act = { operator: 'client_op', reason: 'a test', at: 0, kept: null }
  for (const id of ids) await addTenant(openDirectory(memory.database), newcomer(id, {}, 0), act)
  return memory
}
