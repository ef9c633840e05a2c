/** Carries a plan out, one step after the other, until all are done or one fails. */
import { RunError } from '../support/claims.ts'
import type { DeployedWorker } from './deployment.ts'
import { type Call, type Step, written } from './plan.ts'

export interface Said {
  readonly code: number
  readonly out: string
  /** Both streams, in the order in which it came. */
  readonly all: string
}

/** Runs wrangler; `input` is what it reads. */
export type Wrangler = (call: Call, input?: string) => Promise<Said>

type Tell = (line: string) => void

/** Throws at the first step that fails, with what wrangler said. Secrets are all looked at before their lack is told. */
export async function runPlan(
  environment: string,
  steps: readonly Step[],
  wrangler: Wrangler,
  tell: Tell,
): Promise<void> {
  const isSecrets = (step: Step) => step.kind === 'secrets'
  const firstOther = steps.findLastIndex(isSecrets) + 1
  const lacking: string[] = []
  for (const [nth, step] of steps.entries()) {
    if (nth === firstOther) refuseLack(environment, lacking)
    if (step.kind === 'secrets')
      lacking.push(...(await lackOf(environment, step.worker, step.call, wrangler)))
    else if (step.kind === 'make') await make(step, wrangler, tell)
    else await runStep(step.what, step.call, wrangler, tell)
  }
  refuseLack(environment, lacking)
}

async function make(
  { what, find, make: call }: Extract<Step, { kind: 'make' }>,
  wrangler: Wrangler,
  tell: Tell,
): Promise<void> {
  const found = await wrangler(find)
  if (found.code === 0) return tell(`  is there   ${what}`)
  // It may only have been out of reach: then making it fails too, and says why.
  await runStep(what, call, wrangler, tell)
}

/** `input` is what wrangler reads, and never told. */
export async function runStep(
  what: string,
  call: Call,
  wrangler: Wrangler,
  tell: Tell,
  input?: string,
): Promise<Said> {
  const said = await wrangler(call, input)
  if (said.code !== 0) throw failure(what, call, said)
  tell(`  done       ${what}`)
  return said
}

const failure = (what: string, call: Call, { code, all }: Said) =>
  new RunError(`Stopped at ${what}: ${written(call)} ended with ${code}.\n\n${all.trim()}`)

/** The commands that set what the Worker lacks. */
async function lackOf(
  environment: string,
  worker: DeployedWorker,
  call: Call,
  wrangler: Wrangler,
): Promise<string[]> {
  const names = await secretNames(worker, call, wrangler)
  return worker.secrets
    .filter((name) => !names.has(name))
    .map((name) => written(['secret', 'put', name, '-c', worker.config, '--env', environment]))
}

/** Of a Worker that has not been deployed: none. */
export async function secretNames(
  { name }: DeployedWorker,
  call: Call,
  wrangler: Wrangler,
): Promise<ReadonlySet<string>> {
  const said = await wrangler(call)
  if (said.code === 0) return new Set((JSON.parse(said.out) as { name: string }[]).map((one) => one.name))
  if (/^.*Worker ".*not found/m.test(said.all)) return new Set()
  throw failure(`the secrets of ${name}`, call, said)
}

function refuseLack(environment: string, commands: readonly string[]): void {
  if (commands.length === 0) return
  throw new RunError(
    `Secrets are missing, so nothing has been changed. On a first deployment, this makes and sets them:

  npm run -s setup -- --env ${environment}

Otherwise:

${commands.map((command) => `  ${command}`).join('\n')}`,
  )
}
