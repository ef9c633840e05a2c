/** What is wrong with a deployment before anything of it is made: where its Workers do not fit together, or two deployments get mixed up. */
import {
  bucketsOf,
  type DeployedWorker,
  type Deployment,
  databasesOf,
  queuesOf,
  workerOf,
} from './deployment.ts'

/** What stands in the configuration until a deployment has a name of its own. */
const PLACEHOLDER = 'https://api.example.com'

/** One sentence for each fault; none for a deployment that fits together. */
export const complaintsAbout = (deployment: Deployment): string[] => [
  ...ofVariables(deployment),
  ...ofLedgers(deployment),
  ...ofQueues(deployment),
  ...ofStores(deployment),
  ...ofProviders(deployment),
]

/** What keeps a deployment that fits together from being the real one. */
export const stillToSet = (deployment: Deployment): string[] =>
  workerOf(deployment, 'gateway').vars.PUBLIC_BASE_URL === PLACEHOLDER
    ? [`PUBLIC_BASE_URL is still ${PLACEHOLDER}: set it in ${configsWith(deployment, 'PUBLIC_BASE_URL')}.`]
    : []

const configsWith = ({ workers }: Deployment, name: string) =>
  workers
    .filter(({ vars }) => name in vars)
    .map(({ config }) => config)
    .join(' and ')

/** A variable that two Workers have means the same to both. */
function ofVariables(deployment: Deployment): string[] {
  const names = new Set(deployment.workers.flatMap(({ vars }) => Object.keys(vars)))
  return [...names].flatMap((name) => {
    const values = new Set(deployment.workers.flatMap(({ vars }) => vars[name] ?? []))
    return values.size > 1 ? [`${name} is not the same in ${configsWith(deployment, name)}.`] : []
  })
}

function ofLedgers(deployment: Deployment): string[] {
  const gateway = workerOf(deployment, 'gateway')
  return deployment.workers
    .filter(({ role, objectsOf }) => role !== 'gateway' && objectsOf.some((name) => name !== gateway.name))
    .map(({ config }) => `${config} binds the ledgers of another Worker than ${gateway.name}.`)
}

function ofQueues(deployment: Deployment): string[] {
  const consumed = deployment.workers.flatMap(({ consumes }) => consumes)
  const fed = new Set([
    ...deployment.workers.flatMap(({ produces }) => produces),
    ...consumed.flatMap(({ deadLetters }) => deadLetters ?? []),
  ])
  return queuesOf(deployment).flatMap((name) => {
    const consumers = consumed.filter(({ queue }) => queue === name).length
    return [
      ...(consumers === 1 ? [] : [`The queue ${name} has ${consumers} consumers; it needs one.`]),
      ...(fed.has(name) ? [] : [`Nothing goes to the queue ${name}.`]),
      ...(isLossy(consumed, name)
        ? [`What the queue ${name} gives up is lost: it has no dead-letter queue.`]
        : []),
    ]
  })
}

/** A dead-letter queue itself needs none: its consumer tries for days. */
const isLossy = (consumed: readonly { queue: string; deadLetters: string | null }[], name: string) =>
  consumed.some(({ queue, deadLetters }) => queue === name && !deadLetters) &&
  !consumed.some(({ deadLetters }) => deadLetters === name)

function ofStores(deployment: Deployment): string[] {
  const stores = { database: databasesOf(deployment), bucket: bucketsOf(deployment) }
  return Object.entries(stores).flatMap(([kind, names]) =>
    names.length === 1 ? [] : [`All Workers share one ${kind}, not ${names.length}: ${names.join(', ')}.`],
  )
}

function ofProviders(deployment: Deployment): string[] {
  const providers = (workerOf(deployment, 'gateway').vars.PROVIDERS ?? '').split(',')
  const { config, vars, bindsAi } = workerOf(deployment, 'consumers')
  return [
    ...(providers.includes('workers-ai') && !bindsAi
      ? [`PROVIDERS names workers-ai, and ${config} does not bind it.`]
      : []),
    ...(providers.includes('openai') && !vars.OPENAI_BASE_URL
      ? [`PROVIDERS names openai, and ${config} has no OPENAI_BASE_URL.`]
      : []),
  ]
}

/** What two deployments of one account must not share, or they would work on each other's jobs. */
export function clashesBetween(one: Deployment, other: Deployment): string[] {
  const taken = new Set(ownNames(other))
  return ownNames(one)
    .filter((name) => taken.has(name))
    .map((name) => `${one.environment} and ${other.environment} share the ${name}.`)
}

const ownNames = (deployment: Deployment): string[] => [
  ...deployment.workers.map(({ name }) => `Worker ${name}`),
  ...queuesOf(deployment).map((name) => `queue ${name}`),
  ...databasesOf(deployment).map((name) => `database ${name}`),
  ...bucketsOf(deployment).map((name) => `bucket ${name}`),
  ...each(deployment, ({ workflows }) => workflows).map((name) => `Workflow ${name}`),
  ...each(deployment, ({ datasets }) => datasets).map((name) => `dataset ${name}`),
  ...each(deployment, ({ limiters }) => limiters).map((name) => `rate limiter ${name}`),
]

const each = ({ workers }: Deployment, names: (worker: DeployedWorker) => readonly string[]) =>
  workers.flatMap((worker) => [...names(worker)])
