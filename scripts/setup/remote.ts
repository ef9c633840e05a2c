/**
 * The one-time step of a deployment: its keys and the first operator's client. Secrets travel over standard input only, the directory
 * gets a hash, and what is new is handed back once, to be shown and kept elsewhere.
 */
import { type DeployedWorker, type Deployment, workerOf } from '../deploy/deployment.ts'
import { account, at, type Call, directorySteps, secretSteps, written } from '../deploy/plan.ts'
import { runPlan, runStep, secretNames, type Wrangler } from '../deploy/run-plan.ts'
import { RunError } from '../support/claims.ts'
import type { Operator } from '../support/operator.ts'

const generated = ['SIGNING_KEYS', 'KEY_ENCRYPTION_KEYS'] as const
type Generated = (typeof generated)[number]

export interface Fresh extends Readonly<Record<Generated, string>> {
  readonly operator: Operator
}

/** What has been set, and is nowhere else to be read: members that are missing were there before. */
export interface Shown {
  environment: string
  operator?: { readonly client_id: string; readonly client_secret: string }
  SIGNING_KEYS?: unknown
  KEY_ENCRYPTION_KEYS?: unknown
}

interface Parts {
  readonly wrangler: Wrangler
  readonly tell: (line: string) => void
  readonly fresh: Fresh
  /** Makes an operator although there is one. */
  readonly another: boolean
  /** Is told of each thing once it holds, so that a failure later on does not hide it. */
  readonly show: (what: Omit<Shown, 'environment'>) => void
}

export async function setUpRemote(deployment: Deployment, parts: Parts): Promise<void> {
  const { wrangler, tell, fresh, another, show } = parts
  const run = (what: string, call: Call, input?: string) => runStep(what, call, wrangler, tell, input)
  await runPlan(deployment.environment, [account], wrangler, tell)
  const lacks = await lacksOf(deployment, wrangler)
  await runPlan(deployment.environment, directorySteps(deployment), wrangler, tell)
  const operators = countIn((await run('how many operators there are', countCall(deployment))).out)
  if (operators > 0 && !another && lacks.length === 0) throw thereIsOne(operators)
  for (const { worker, names } of lacks) {
    const secrets = Object.fromEntries(names.map((name) => [name, fresh[name]]))
    await run(`secrets of ${worker.name}`, bulkCall(deployment, worker), JSON.stringify(secrets))
    show(Object.fromEntries(names.map((name) => [name, JSON.parse(fresh[name])])))
  }
  if (operators > 0 && !another) return tell('  is there   an operator')
  await run('the operator', insertCall(deployment, fresh.operator.sql))
  show({ operator: { client_id: fresh.operator.clientId, client_secret: fresh.operator.clientSecret } })
}

/** What would be called, for whoever wants to see it first. */
export const callsOf = (deployment: Deployment): string[] => [
  ...[account, ...secretSteps(deployment), ...directorySteps(deployment)].map((step) =>
    step.kind === 'make' ? `${written(step.find)} || ${written(step.make)}` : written(step.call),
  ),
  written(countCall(deployment)),
  ...deployment.workers
    .filter(({ secrets }) => secrets.some(isGenerated))
    .map((worker) => `${written(bulkCall(deployment, worker))}  # reads ${worker.secrets.join(', ')}`),
  written(insertCall(deployment, 'insert or ignore into clients …')),
]

const isGenerated = (name: string): name is Generated => generated.some((one) => one === name)

interface Lack {
  readonly worker: DeployedWorker
  readonly names: readonly Generated[]
}

/** Throws where one Worker has a key and another has not: nobody can read it back, and a second one would not open the same. */
async function lacksOf(deployment: Deployment, wrangler: Wrangler): Promise<Lack[]> {
  const lacks: Lack[] = []
  for (const step of secretSteps(deployment)) {
    if (step.kind !== 'secrets') continue
    const there = await secretNames(step.worker, step.call, wrangler)
    const names = step.worker.secrets.filter(isGenerated).filter((name) => !there.has(name))
    if (names.length > 0) lacks.push({ worker: step.worker, names })
  }
  for (const name of generated) {
    const needing = deployment.workers.filter(({ secrets }) => secrets.includes(name)).length
    const lacking = lacks.filter(({ names }) => names.includes(name))
    if (lacking.length > 0 && lacking.length < needing) throw halfThere(name, lacking)
  }
  return lacks
}

const halfThere = (name: string, lacking: readonly Lack[]) =>
  new RunError(
    `${name} is set for some Workers, and missing for ${lacking.map(({ worker }) => worker.name).join(', ')}. ` +
      'Set the value that you keep; it cannot be read back.',
  )

const thereIsOne = (operators: number) =>
  new RunError(
    `There ${operators === 1 ? 'is an operator' : `are ${operators} operators`} already, and all keys are set: nothing has been changed. ` +
      'Clients of tenants are created by /ops/v1. For one more operator, or if nobody has an operator’s secret any more, add --another.',
  )

const gatewayOf = (deployment: Deployment) => at(deployment, workerOf(deployment, 'gateway'))

const countCall = (deployment: Deployment): Call => [
  ...['d1', 'execute', 'DIRECTORY', '--remote', '--json', '--command'],
  'select count(*) as operators from clients where tenant_id is null and disabled_at is null',
  ...gatewayOf(deployment),
]

const insertCall = (deployment: Deployment, sql: string): Call => [
  ...['d1', 'execute', 'DIRECTORY', '--remote', '--yes', '--command', sql],
  ...gatewayOf(deployment),
]

const bulkCall = (deployment: Deployment, worker: DeployedWorker): Call => [
  'secret',
  'bulk',
  ...at(deployment, worker),
]

/** Of wrangler's JSON, a list of what each statement gave. */
function countIn(out: string): number {
  const [answer] = JSON.parse(out) as { results: { operators: number }[] }[]
  const count = answer?.results[0]?.operators
  if (count === undefined) throw new RunError('How many operators there are cannot be read.')
  return count
}
