/**
 * `npm run setup`: prepares the local run's state without serving anything. `-- --production` (or `--env NAME`): the one-time step of
 * a deployment, its keys and its first operator; what is new is printed once, to standard output and to nothing else, so that
 * `npm run -s setup -- --production | KEEP` hands it to whatever keeps secrets. `--new-key signing|encryption`: one fresh key, to rotate by.
 */
import { randomBytes } from 'node:crypto'
import { readDeployment } from './deploy/deployment.ts'
import { wranglerFromPath } from './deploy/wrangler.ts'
import { setUpLocal } from './setup/local.ts'
import { callsOf, type Shown, setUpRemote } from './setup/remote.ts'
import { RunError } from './support/claims.ts'
import { mintOperator } from './support/operator.ts'
import { localSecrets, newEncryptionKey, newSigningKey } from './support/secrets.ts'
import { typedOptions } from './support/typed-options.ts'

const values = typedOptions({
  env: { type: 'string' },
  production: { type: 'boolean', default: false },
  'dry-run': { type: 'boolean', default: false },
  another: { type: 'boolean', default: false },
  'new-key': { type: 'string' },
})
const json = (value: unknown) => JSON.stringify(value, null, 2)

process.exit(
  await main().then(
    () => 0,
    (error: unknown) => {
      console.error(error instanceof RunError ? error.message : error)
      return 1
    },
  ),
)

async function main(): Promise<void> {
  const environment = askedEnvironment()
  if (values['new-key'] !== undefined) console.log(JSON.stringify(await newKey(values['new-key'])))
  else if (environment === null) console.log(await setUpLocal(process.env))
  else if (values['dry-run']) console.log(callsOf(readDeployment(environment)).join('\n'))
  else await remote(environment)
}

/** Null for the local run, of which nothing can be seen beforehand. */
function askedEnvironment(): string | null {
  const { env, production, another, 'dry-run': dryRun } = values
  if (production && env !== undefined && env !== 'production')
    throw new RunError(`--production and --env ${env} are two environments.`)
  if (env !== undefined || production) return env ?? 'production'
  if (dryRun || another) throw new RunError('--dry-run and --another go with --production or --env NAME.')
  return null
}

async function newKey(use: string): Promise<Record<string, string>> {
  if (use === 'signing') return newSigningKey()
  if (use === 'encryption') return newEncryptionKey(keyId())
  throw new RunError('--new-key is signing or encryption.')
}

/** When it was made, and what tells it from others of that day. */
function keyId(): string {
  return `k${new Date().toISOString().slice(0, 10)}-${randomBytes(3).toString('hex')}`
}

async function remote(environment: string): Promise<void> {
  const shown: Shown = { environment }
  const { SIGNING_KEYS, KEY_ENCRYPTION_KEYS } = await localSecrets(keyId())
  const fresh = { SIGNING_KEYS, KEY_ENCRYPTION_KEYS, operator: await mintOperator(Date.now()) }
  const show = (what: object) => Object.assign(shown, what)
  const parts = { wrangler: wranglerFromPath(), tell: console.error, fresh, another: values.another, show }
  try {
    await setUpRemote(readDeployment(environment), parts)
  } finally {
    if (Object.keys(shown).length > 1) {
      console.log(json(shown))
      console.error('\nKeep what was printed: it is shown this once, and cannot be read back from anywhere.')
    }
  }
}
