/** A Worker's modules as `wrangler deploy` would upload them, its `define` applied. */
import { execFile } from 'node:child_process'
import { readdir, readFile } from 'node:fs/promises'
import { dirname, join, resolve } from 'node:path'
import { promisify } from 'node:util'

const wrangler = join(import.meta.dirname, '../../node_modules/wrangler/bin/wrangler.js')
const run = promisify(execFile)

export interface Module {
  readonly type: 'ESModule' | 'Text'
  readonly path: string
  readonly contents: string
}

export interface BundleOptions {
  /** A module in the place of the config's `main`. */
  readonly entry?: string
  /** Environment of the config; the default one is the local run's. */
  readonly env?: string
  /** Leaves names as they are in the source, whatever the config says. */
  readonly named?: boolean
  /** As small as can be, whatever the config says. */
  readonly minified?: boolean
}

/** Bundles a Worker into `outDir`; the main module comes first. */
export async function bundle(
  configPath: string,
  outDir: string,
  { entry, env = '', named, minified }: BundleOptions = {},
): Promise<Module[]> {
  const command = [
    'deploy',
    ...(entry ? [resolve(entry)] : []),
    '--dry-run',
    '--env',
    env,
    ...(named ? ['--no-minify'] : []),
    ...(minified ? ['--minify'] : []),
    '--outdir',
    resolve(outDir),
    '--config',
    resolve(configPath),
  ]
  // Beside another entry the paths of a config are taken from where the command runs.
  await run(process.execPath, [wrangler, ...command], { cwd: dirname(resolve(configPath)) })
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
