/**
 * `npm run release`: keeps the three Workers as they are now under the version of package.json. From then on the specs run the Workers
 * of the sources beside these (`test/rollback.spec.ts`).
 */
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { bundle } from '../bench/support/bundle.ts'
import { type Bundles, keepRelease } from './releases/release.ts'
import { projectRoot as root, workerConfigs, workerNames } from './support/workers.ts'

const { version } = JSON.parse(await readFile(join(root, 'package.json'), 'utf8')) as { version: string }
const out = await mkdtemp(join(tmpdir(), 'release-'))
const built = workerNames.map(async (name) => {
  const modules = await bundle(join(root, workerConfigs[name]), join(out, name), { minified: true })
  return [name, modules] as const
})
const bytes = await keepRelease(version, Object.fromEntries(await Promise.all(built)) as Bundles)
await rm(out, { recursive: true })
console.log(`Kept in releases/${version}: ${Math.round(bytes / 1024)} KiB.`)
