/** A Worker's modules as `wrangler deploy` would upload them, its `define` applied. */
import { execFile } from 'node:child_process'
import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'

const wrangler = join(import.meta.dirname, '../../node_modules/wrangler/bin/wrangler.js')
const run = promisify(execFile)

export interface Module {
  readonly type: 'ESModule' | 'Text'
  readonly path: string
  readonly contents: string
}

/** Bundles the default environment of a config into `outDir`, with `entry` in the place of its `main`; the main module comes first. */
export async function bundle(configPath: string, outDir: string, entry?: string): Promise<Module[]> {
  const command = [
    'deploy',
    ...(entry ? [entry] : []),
    '--dry-run',
    '--env',
    '',
    '--outdir',
    outDir,
    '--config',
    configPath,
  ]
  await run(process.execPath, [wrangler, ...command])
  const names = (await readdir(outDir)).filter((name) => /\.(js|sql)$/.test(name))
  const modules = names.map(
    async (name): Promise<Module> => ({
      type: name.endsWith('.js') ? 'ESModule' : 'Text',
      path: join(outDir, name),
      contents: await readFile(join(outDir, name), 'utf8'),
    }),
  )
  return (await Promise.all(modules)).sort((a, b) => a.type.localeCompare(b.type))
}
