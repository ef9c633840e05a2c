/**
 * Brings a run's directory database up to date: migrations, the first operator. A process of its own, which takes a third of the
 * time of two `wrangler d1` commands and leaves their bookkeeping (`d1_migrations`) as they would.
 */
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { getPlatformProxy } from 'wrangler'
import { readSecrets } from './kept-secrets.ts'
import { openStateDir } from './state-dir.ts'

const migrations = join(import.meta.dirname, '../../migrations/directory')
const configPath = join(import.meta.dirname, 'directory.toml')

const state = openStateDir(process.argv[2] ?? '')
const { env, dispose } = await getPlatformProxy<{ DIRECTORY: D1Database }>({
  configPath,
  persist: { path: `${state.data}/v3` },
  remoteBindings: false,
})
await migrate(env.DIRECTORY)
await env.DIRECTORY.prepare(readSecrets(state).operator.sql).run()
await dispose()

async function migrate(database: D1Database): Promise<void> {
  await database
    .prepare(
      'create table if not exists d1_migrations(id integer primary key autoincrement, name text unique, applied_at timestamp default current_timestamp not null)',
    )
    .run()
  const { results } = await database.prepare('select name from d1_migrations').all<{ name: string }>()
  const applied = new Set(results.map(({ name }) => name))
  const files = readdirSync(migrations).filter((name) => name.endsWith('.sql') && !applied.has(name))
  for (const name of files.sort()) await apply(database, name)
}

/** One transaction: a migration is there with its entry, or not at all. */
async function apply(database: D1Database, name: string): Promise<void> {
  const statements = readFileSync(join(migrations, name), 'utf8').split('--> statement-breakpoint')
  const entry = database.prepare('insert into d1_migrations (name) values (?)').bind(name)
  await database.batch([...statements.filter((sql) => sql.trim()).map((sql) => database.prepare(sql)), entry])
}
