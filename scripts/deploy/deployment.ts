/** What a deployment consists of, as the configurations of its Workers say: nothing of it is written down a second time. */

import { readWorkerConfig } from '../support/worker-config.ts'
import { type WorkerName, workerConfigs, workerNames } from '../support/workers.ts'

export interface DeployedWorker {
  readonly role: WorkerName
  /** Of its configuration, from the project's root. */
  readonly config: string
  /** Under which it is deployed. */
  readonly name: string
  readonly vars: Readonly<Record<string, string>>
  /** Secrets without which it does not start. */
  readonly secrets: readonly string[]
  readonly produces: readonly string[]
  readonly consumes: readonly Consumed[]
  readonly databases: readonly string[]
  readonly buckets: readonly string[]
  readonly workflows: readonly string[]
  /** Analytics Engine's, which come to be with the first figure. */
  readonly datasets: readonly string[]
  /** Namespaces of its rate limiters. */
  readonly limiters: readonly string[]
  /** Workers whose Durable Objects it binds. */
  readonly objectsOf: readonly string[]
  readonly bindsAi: boolean
}

export interface Consumed {
  readonly queue: string
  readonly deadLetters: string | null
}

export interface Deployment {
  readonly environment: string
  /** In the order of their deployment. */
  readonly workers: readonly DeployedWorker[]
}

/** Throws if a configuration does not have the environment. */
export const readDeployment = (environment: string): Deployment => ({
  environment,
  workers: workerNames.map((role) => readWorker(role, environment)),
})

/** Those that the gateway's configuration names. */
export const environmentNames = (): string[] =>
  readWorkerConfig(workerConfigs.gateway, '').definedEnvironments

function readWorker(role: WorkerName, environment: string): DeployedWorker {
  const path = workerConfigs[role]
  const config = readWorkerConfig(path, environment)
  return {
    role,
    config: path,
    name: config.name,
    vars: config.vars,
    secrets: secretsOf(config.secrets.required, config.vars),
    produces: config.queues.producers.map(({ queue }) => queue),
    consumes: config.queues.consumers.map(({ queue, dead_letter_queue }) => ({
      queue,
      deadLetters: dead_letter_queue,
    })),
    databases: config.d1_databases.map(({ database_name }) => database_name),
    buckets: config.r2_buckets.map(({ bucket_name }) => bucket_name),
    workflows: config.workflows.map(({ name }) => name),
    datasets: config.analytics_engine_datasets.map(({ binding, dataset = binding }) => dataset),
    limiters: config.ratelimits.map(({ namespace_id }) => namespace_id),
    objectsOf: config.durable_objects.bindings.flatMap(({ script_name }) => script_name ?? []),
    bindsAi: config.ai !== undefined,
  }
}

/** A provider's key is a secret that only those need who have its address. */
const secretsOf = (required: readonly string[], { OPENAI_BASE_URL }: Record<string, unknown>): string[] => [
  ...required,
  ...(OPENAI_BASE_URL && !required.includes('OPENAI_API_KEY') ? ['OPENAI_API_KEY'] : []),
]

const distinct = (names: readonly string[]) => [...new Set(names)]

/** Every queue that is produced, consumed or takes dead letters. */
export const queuesOf = ({ workers }: Deployment): string[] =>
  distinct(
    workers.flatMap(({ produces, consumes }) => [
      ...produces,
      ...consumes.flatMap(({ queue, deadLetters }) => [queue, ...(deadLetters ? [deadLetters] : [])]),
    ]),
  )

export const bucketsOf = ({ workers }: Deployment): string[] =>
  distinct(workers.flatMap(({ buckets }) => buckets))

export const databasesOf = ({ workers }: Deployment): string[] =>
  distinct(workers.flatMap(({ databases }) => databases))

/** Throws if there is none: the configurations are read as they are. */
export function workerOf({ workers }: Deployment, role: WorkerName): DeployedWorker {
  const worker = workers.find((one) => one.role === role)
  if (!worker) throw new Error(`There is no ${role}.`)
  return worker
}
