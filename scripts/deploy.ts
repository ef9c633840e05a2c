/**
 * `npm run deploy`: puts an environment's queues, database, bucket and Workers up, or brings them up to date; safe to repeat. With
 * `--dry-run`, prints what would be called and builds all Workers for the local run and every environment, without an account.
 * `--env NAME`: another environment than `production`.
 */
import { spawnSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { clashesBetween, complaintsAbout, stillToSet } from './deploy/agreement.ts'
import { type Deployment, environmentNames, readDeployment } from './deploy/deployment.ts'
import { bundleCalls, planOf, type Step, written } from './deploy/plan.ts'
import { runPlan } from './deploy/run-plan.ts'
import { complaintsAboutSettings } from './deploy/settings.ts'
import { wranglerFromPath } from './deploy/wrangler.ts'
import { RunError } from './support/claims.ts'
import { typedOptions } from './support/typed-options.ts'
import { projectRoot } from './support/workers.ts'

const values = typedOptions({
  env: { type: 'string', default: 'production' },
  'dry-run': { type: 'boolean', default: false },
})

process.exitCode = await main().catch(failed)

async function main(): Promise<number> {
  const deployments = environmentNames().map(readDeployment)
  await refuseFaults(deployments)
  const deployment = deployments.find(({ environment }) => environment === values.env)
  if (!deployment) throw new RunError(`No configuration has the environment ${values.env}.`)
  return values['dry-run'] ? dryRun(deployments, deployment) : deploy(deployment)
}

async function refuseFaults(deployments: readonly Deployment[]): Promise<void> {
  const faults = deployments.flatMap((one, nth) => [
    ...complaintsAbout(one),
    ...deployments.slice(nth + 1).flatMap((other) => clashesBetween(one, other)),
  ])
  const wrong = [...faults, ...(await Promise.all(deployments.map(complaintsAboutSettings))).flat()]
  if (wrong.length > 0) throw new RunError(wrong.join('\n'))
}

async function dryRun(deployments: readonly Deployment[], deployment: Deployment): Promise<number> {
  console.log(`What would be called for ${deployment.environment}:\n`)
  for (const step of planOf(deployment, label())) console.log(shown(step))
  for (const line of stillToSet(deployment)) console.log(`\nBefore that: ${line}`)
  const out = mkdtempSync(join(tmpdir(), 'gateway-bundle-'))
  const wrangler = wranglerFromPath()
  const configs = deployment.workers.map(({ config }) => config)
  console.log('\nBuilding:\n')
  for (const name of ['', ...deployments.map(({ environment }) => environment)])
    for (const call of bundleCalls(name, configs, out)) {
      const { code, all } = await wrangler(call)
      if (code !== 0) throw new RunError(`${written(call)} ended with ${code}.\n\n${all.trim()}`)
      console.log(`  ${name || 'local run'}  ${call.at(-3)}  ${/^Total Upload: (.*)$/m.exec(all)?.[1]}`)
    }
  rmSync(out, { recursive: true })
  return 0
}

function shown(step: Step): string {
  if (step.kind !== 'make') return `  ${written(step.call)}`
  return `  ${written(step.find)} || ${written(step.make)}`
}

async function deploy(deployment: Deployment): Promise<number> {
  const missing = stillToSet(deployment)
  if (missing.length > 0) throw new RunError(missing.join('\n'))
  console.log(`Deploying ${deployment.environment}:\n`)
  await runPlan(deployment.environment, planOf(deployment, label()), wranglerFromPath(), console.log)
  console.log(
    `\nDeployed. ${deployment.workers[0]?.vars.PUBLIC_BASE_URL}/healthz tells whether the gateway answers.`,
  )
  return 0
}

/** What a version is found by when it is to be rolled back to. */
function label(): string {
  const { version } = JSON.parse(readFileSync(join(projectRoot, 'package.json'), 'utf8')) as {
    version: string
  }
  const commit = spawnSync('git', ['rev-parse', '--short', 'HEAD'], { cwd: projectRoot, encoding: 'utf8' })
  return commit.status === 0 ? `${version} ${commit.stdout.trim()}` : version
}

function failed(error: unknown): number {
  console.error(error instanceof RunError ? error.message : error)
  return 1
}
