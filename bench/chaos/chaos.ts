/**
 * Thousands of jobs, and batches, while everything goes wrong: every queue message comes twice, a tenth of the runs are killed between answer and
 * settlement, Workflows die, calls to ledgers fail or lose their reply, ledgers are evicted, customers lose connections, receivers refuse. Then
 * it is counted whether anything was lost, doubled, leaked or left hanging.
 */
import { setTimeout as sleep } from 'node:timers/promises'
import { type Asked, type OpenAiServer, startOpenAi } from '../../test/support/openai-server.ts'
import type { Outcome } from '../support/bench.ts'
import type { Caller } from '../support/gateway.ts'
import type { Workerd } from '../support/workerd.ts'
import { eachOf, nextJobs, readResults, replayAll } from './afterwards.ts'
import { newChance } from './chance.ts'
import type { Customer } from './customer.ts'
import { type Evidence, evidenceOf } from './evidence.ts'
import { figuresOf } from './figures.ts'
import { invariants } from './invariants.ts'
import { evictAtRandom } from './ledgers.ts'
import { type Listeners, startListeners } from './listeners.ts'
import { LogTally } from './log-tally.ts'
import { metricsInvariants } from './metrics-invariants.ts'
import { openBatches, openJobs, owedBy } from './owed.ts'
import { redriveSome } from './redrives.ts'
import { atRest, type Scraped, scraped } from './scraped.ts'
import { newCustomers, newOperator, startStack } from './stack.ts'
import { submitAll } from './submitting.ts'
import { tenantPlans } from './tenants.ts'

export interface ChaosOptions {
  readonly jobs: number
  readonly seed: number
  /** Where the Workers' log is kept; null for nowhere. */
  readonly logFile: string | null
  readonly tell: (line: string) => void
}

/**
 * Longer than a run, a lease, a sweep, a pause between retries, and the minute of a limit that is used up: after this much silence
 * nothing comes by itself.
 */
const SILENCE_MS = 75_000
/** Evictions start ledgers again, which would hide one that sleeps with work to do; so they end with the rush. */
const CALM_MS = 2500
const RUSH_BOUND_MS = 30_000
const ENDS_BOUND_MS = 300_000
const DEBTS_BOUND_MS = 60_000
const REDRIVES_BOUND_MS = 90_000
const NEXT_JOB_BOUND_MS = 20_000
const POLL_MS = 500
const SHOWN_CASES = 20

interface Run {
  readonly options: ChaosOptions
  readonly workerd: Workerd
  readonly operator: Caller
  readonly customers: Customer[]
  readonly listeners: Listeners
  readonly logs: LogTally
  readonly openAi: OpenAiServer
}

export async function runChaos(options: ChaosOptions): Promise<Outcome> {
  const { seed, tell } = options
  const logs = new LogTally(options.logFile)
  const listeners = await startListeners(seed)
  tell(`Starting the Workers; the seed is ${seed} …`)
  const openAi = await startOpenAi()
  const workerd = await startStack(seed, openAi.url, logs.take)
  try {
    const operator = await newOperator(workerd)
    const customers = await newCustomers(workerd, operator, listeners)
    return await rageAndCount({ options, workerd, operator, customers, listeners, logs, openAi })
  } finally {
    listeners.stop()
    openAi.close()
    await workerd.stop()
  }
}

async function rageAndCount(run: Run): Promise<Outcome> {
  const { workerd, customers, options } = run
  const startedAt = Date.now()
  const secondsSoFar = () => (Date.now() - startedAt) / 1000
  options.tell(`Submitting ${options.jobs} jobs of ${customers.length} tenants …`)
  const { evictions, stalled } = await rage(run)
  const seconds = secondsSoFar()
  options.tell('Waiting for what is still owed, then counting …')
  await debtsPaid(workerd)
  await atRest(run.operator)
  const evidence = await gather(run)
  const metrics = await scraped(run.operator)
  const { broken, redrives } = await check(run, evidence, metrics, stalled)
  for (const [name, cases] of Object.entries(broken)) tellCases(options, name, cases)
  const secondsInAll = secondsSoFar()
  return figuresOf({ ...run, evidence, metrics, redrives, evictions, seconds, secondsInAll, broken })
}

function tellCases({ tell }: ChaosOptions, name: string, cases: readonly string[]): void {
  for (const one of cases.slice(0, SHOWN_CASES)) tell(`${name}: ${one}`)
  if (cases.length > SHOWN_CASES) tell(`${name}: and ${cases.length - SHOWN_CASES} more`)
}

/** Until every job and batch has ended; answers how often a ledger was evicted, and what nobody went on with. */
async function rage({ workerd, customers, listeners, logs, options }: Run) {
  const calm = new AbortController()
  const ids = tenantPlans.map(({ id }) => id)
  const evicting = evictAtRandom(workerd, ids, newChance(options.seed + 1), calm.signal)
  await submitAll(customers, options.jobs, options.seed)
  options.tell('All are submitted; waiting for their ends …')
  await logs.quietFor(CALM_MS, RUSH_BOUND_MS)
  calm.abort()
  await allHeard(customers, listeners, logs)
  const asleep = logs.quietMs >= SILENCE_MS
  return { evictions: await evicting, stalled: asleep ? await openWorkOf(workerd) : [] }
}

/** Waits for the receivers to hear of every end, or for silence. It asks no ledger anything, since that could wake it. */
async function allHeard(customers: readonly Customer[], listeners: Listeners, logs: LogTally): Promise<void> {
  const open = () =>
    customers.some(({ tenantId, accepted, batches }) =>
      [...accepted.values(), ...batches.accepted.values()].some(
        ({ id }) => listeners.terminalEvents(tenantId, id).size === 0,
      ),
    )
  const until = Date.now() + ENDS_BOUND_MS
  while (open() && logs.quietMs < SILENCE_MS && Date.now() < until) await sleep(POLL_MS)
}

async function openWorkOf(workerd: Workerd): Promise<string[]> {
  const open = [openJobs, openBatches].flatMap((read) => tenantPlans.map(({ id }) => read(workerd, id)))
  return (await Promise.all(open)).flat()
}

const debts = ['jobs', 'batches', 'deliveries', 'bookings', 'letters', 'snapshots'] as const

/** Waits until no ledger owes anything, or the time is up. */
async function debtsPaid(workerd: Workerd): Promise<void> {
  for (const until = Date.now() + DEBTS_BOUND_MS; Date.now() < until; await sleep(POLL_MS)) {
    const owed = await Promise.all(tenantPlans.map(({ id }) => owedBy(workerd, id)))
    if (owed.every((one) => debts.every((debt) => one[debt] === 0))) return
  }
}

async function gather({ workerd, customers, listeners, logs, openAi }: Run): Promise<Evidence[]> {
  const evidence: Evidence[] = []
  const witnesses = { listeners, logs, effects: openAi.effects, asked: byJob(openAi.asked) }
  await eachOf(tenantPlans, async (plan) => {
    const customer = customers.find(({ tenantId }) => tenantId === plan.id)
    if (customer) evidence.push(await evidenceOf(workerd, plan, customer, witnesses))
  })
  return evidence
}

/** Idempotency keys are a job's ID with a count. */
const byJob = (asked: readonly Asked[]) => Map.groupBy(asked, ({ key }) => key.replace(/-[0-9]+$/, ''))

async function check(
  { operator, customers, logs }: Run,
  evidence: Evidence[],
  metrics: Scraped,
  stalled: string[],
) {
  const inMetrics = Object.entries(metricsInvariants).map(
    ([name, cases]) => [name, cases(metrics, evidence)] as const,
  )
  const inTables = Object.entries(invariants).map(([name, cases]) => [name, evidence.flatMap(cases)] as const)
  const keysNotReplayed = await replayAll(customers)
  const resultsWrong = await readResults(evidence)
  const redrives = await redriveSome(operator, evidence, REDRIVES_BOUND_MS)
  const late = (await nextJobs(customers, NEXT_JOB_BOUND_MS)).filter(
    (seconds) => seconds * 1000 >= NEXT_JOB_BOUND_MS,
  )
  const broken = {
    ...(Object.fromEntries([...inTables, ...inMetrics]) as Record<string, string[]>),
    work_stalled: stalled,
    keys_not_replayed: keysNotReplayed,
    results_not_as_the_status: resultsWrong,
    redrives_wrong: redrives.wrong,
    next_jobs_late: late.map((seconds) => `a fresh job took ${seconds} s`),
    content_in_logs: logs.leaks,
  }
  return { broken, redrives }
}
