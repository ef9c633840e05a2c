/** What a deployment does, as calls of wrangler, in order. Nothing here runs anything. */
import { bucketsOf, type DeployedWorker, type Deployment, queuesOf, workerOf } from './deployment.ts'

/** Arguments of one call of wrangler. */
export type Call = readonly string[]

export type Step =
  /** Reads which secrets a Worker has; what it lacks stops everything, as do those of the other Workers. */
  | { readonly kind: 'secrets'; readonly worker: DeployedWorker; readonly call: Call }
  /** Makes it, unless `find` finds it. */
  | { readonly kind: 'make'; readonly what: string; readonly find: Call; readonly make: Call }
  | { readonly kind: 'run'; readonly what: string; readonly call: Call }

/** The rules that hold for the whole bucket; rules that somebody added by hand are replaced. */
export const LIFECYCLE = 'scripts/deploy/r2-lifecycle.json'
/** By its binding, whatever the environment calls it. */
const DIRECTORY = 'DIRECTORY'

/** Of the environment, as a Worker's configuration has it: an account may be named there, too. */
export const at = ({ environment }: Deployment, { config }: DeployedWorker) => [
  '-c',
  config,
  '--env',
  environment,
]
const inGateway = (deployment: Deployment) => at(deployment, workerOf(deployment, 'gateway'))

/** Whether there is an account to deploy to. */
export const account: Step = { kind: 'run', what: 'the account', call: ['whoami', '--json'] }

export const secretSteps = (deployment: Deployment): Step[] =>
  deployment.workers
    .filter(({ secrets }) => secrets.length > 0)
    .map((worker) => ({
      kind: 'secrets',
      worker,
      call: ['secret', 'list', '--format', 'json', ...at(deployment, worker)],
    }))

/** The directory database, with its tables as the sources have them. */
export function directorySteps(deployment: Deployment): Step[] {
  const gateway = workerOf(deployment, 'gateway')
  const where = inGateway(deployment)
  const databases = gateway.databases.map(
    (name): Step => ({
      kind: 'make',
      what: `the database ${name}`,
      find: ['d1', 'info', name, '--json', ...where],
      make: ['d1', 'create', name, '--update-config=false', ...where],
    }),
  )
  const migrate: Step = {
    kind: 'run',
    what: "the directory's tables",
    call: ['d1', 'migrations', 'apply', DIRECTORY, '--remote', ...where],
  }
  return [...databases, migrate]
}

function queueSteps(deployment: Deployment): Step[] {
  const where = inGateway(deployment)
  return queuesOf(deployment).map((name) => ({
    kind: 'make',
    what: `the queue ${name}`,
    find: ['queues', 'info', name, ...where],
    make: ['queues', 'create', name, ...where],
  }))
}

function bucketSteps(deployment: Deployment): Step[] {
  const where = inGateway(deployment)
  return bucketsOf(deployment).flatMap((name): Step[] => [
    {
      kind: 'make',
      what: `the bucket ${name}`,
      find: ['r2', 'bucket', 'info', name, '--json', ...where],
      make: ['r2', 'bucket', 'create', name, '--update-config=false', ...where],
    },
    {
      kind: 'run',
      what: `what expires in ${name}`,
      call: ['r2', 'bucket', 'lifecycle', 'set', name, '--file', LIFECYCLE, '--force', ...where],
    },
  ])
}

const workerSteps = (deployment: Deployment, label: string): Step[] =>
  deployment.workers.map((worker) => ({
    kind: 'run',
    what: `the Worker ${worker.name}`,
    call: ['deploy', ...at(deployment, worker), '--message', label],
  }))

/**
 * Tables come before the Workers that read them, and the gateway before the others: it hosts the ledgers, and a ledger understands
 * consumers that are a version behind. `label` is how the versions are found again.
 */
export const planOf = (deployment: Deployment, label: string): Step[] => [
  account,
  ...secretSteps(deployment),
  ...queueSteps(deployment),
  ...bucketSteps(deployment),
  ...directorySteps(deployment),
  ...workerSteps(deployment, label),
]

/** Builds all Workers of an environment without an account; an empty one is that of the local run. */
export const bundleCalls = (environment: string, configs: readonly string[], outDir: string): Call[] =>
  configs.map((config) => [
    'deploy',
    '--dry-run',
    '--outdir',
    `${outDir}/${environment || 'local'}/${config.replace(/\/?wrangler\.toml$/, '') || 'gateway'}`,
    '-c',
    config,
    '--env',
    environment,
  ])

/** How it is written in a shell. */
export const written = (call: Call): string => ['wrangler', ...call.map(quoted)].join(' ')
export const quoted = (text: string) =>
  /^[\w@%+=:,./-]+$/.test(text) ? text : `'${text.replaceAll("'", `'\\''`)}'`
