/**
 * `npm run deploy`: the three Workers in the order in which their bindings need each other: the gateway hosts the ledgers that the
 * other two bind. With `--dry-run`, bundles them for the local and the production environment and deploys nothing.
 */
import { spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

const configs = ['wrangler.toml', 'consumers/wrangler.toml', 'callbacks/wrangler.toml'] as const
const queues = ['jobs', 'jobs-bulk', 'jobs-slow', 'jobs-solo', 'batches', 'callbacks'].flatMap((name) => [
  name,
  `${name}-dlq`,
])

function wrangler(...args: string[]): boolean {
  console.log(`wrangler ${args.join(' ')}`)
  return spawnSync('wrangler', args, { stdio: 'inherit' }).status === 0
}

function must(...args: string[]): void {
  if (!wrangler(...args)) process.exit(1)
}

function dryRun(): void {
  const out = mkdtempSync(join(tmpdir(), 'gateway-bundle-'))
  for (const env of ['', 'production'])
    for (const config of configs)
      must('deploy', '--dry-run', '--outdir', join(out, env), '-c', config, '--env', env)
  rmSync(out, { recursive: true })
}

/** Safe to repeat: what exists already is left as it is. */
function deploy(): void {
  for (const queue of queues)
    if (!wrangler('queues', 'create', queue)) console.log(`${queue} exists, or see above.`)
  if (!wrangler('r2', 'bucket', 'create', 'async-ai-content')) console.log('The bucket exists, or see above.')
  must('d1', 'migrations', 'apply', 'directory', '--remote', '--env', 'production', '-c', 'wrangler.toml')
  for (const config of configs) must('deploy', '-c', config, '--env', 'production')
}

if (process.argv.includes('--dry-run')) dryRun()
else deploy()
