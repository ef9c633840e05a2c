/**
 * What it costs to accept a job. The real gateway (token, validation, idempotency, limits) beside two Workers that only insert and
 * send, in one workerd process; and the SQL rows and ledger calls of one job's whole life.
 */
import { join } from 'node:path'
import { costOfOneJob } from './accepting/rows.ts'
import { acceptingLimits, bareWorker, gateway, requireNoneRan, takeThePlace } from './accepting/targets.ts'
import type { Bench } from './support/bench.ts'
import { contest } from './support/contest.ts'
import { Caller, gatewaySpecs, newTenant, prepareDirectory } from './support/gateway.ts'
import { meterSpec, metersAt } from './support/meter.ts'
import { startWorkerd, type Workerd } from './support/workerd.ts'
import { createTable } from './workers/job-row.ts'

const SWEEP_SECONDS = 5
const wanted = {
  ratio_vs_bare: { bound: 'at least', value: 0.8, aim: 1 },
  ratio_vs_d1: { bound: 'at least', value: 1.2, aim: 1.5 },
  rows_per_job: { bound: 'at most', value: 20 },
} as const

const baselines = ['bare', 'd1'].map((name) => ({
  name,
  configPath: join(import.meta.dirname, 'workers', name, 'wrangler.toml'),
}))

export const run: Bench = async (tell) => {
  tell('Bundling and starting six Workers …')
  const settings = {
    SWEEP_SECONDS: String(SWEEP_SECONDS),
    // As in production: a snapshot is owed by time, not by job.
    ROLL_UP_SECONDS: '60',
    RUN_TIMEOUT_SECONDS: '600',
    BATCH_GRACE_SECONDS: '900',
  }
  const workerd = await startWorkerd([...(await gatewaySpecs(settings)), ...baselines, meterSpec])
  try {
    const url = await workerd.urlOf('gateway')
    const operator = await Caller.signIn(url, await prepareDirectory(workerd))
    tell('Counting rows and calls …')
    const cost = await measureCost(workerd, operator)
    tell('Measuring accepts …')
    const { perSecond, ratio } = await measureAccepts(workerd, operator, tell)
    return {
      figures: {
        ratio_vs_bare: ratio('gateway', 'bare'),
        ratio_vs_d1: ratio('gateway', 'd1'),
        rows_per_job: cost.rows,
        ledger_calls_per_job: cost.calls,
        gateway_accepts_per_second: perSecond.gateway,
        bare_accepts_per_second: perSecond.bare,
        d1_accepts_per_second: perSecond.d1,
      },
      wanted,
    }
  } finally {
    await workerd.stop()
  }
}

/** The tail is longer than a sweep, so that the alarm that follows the last job is counted as well. */
async function measureCost(workerd: Workerd, operator: Caller) {
  const id = 'counted'
  const tenant = await newTenant(operator, id, {})
  const meter = metersAt(await workerd.urlOf(meterSpec.name))(id)
  return costOfOneJob(tenant, meter, SWEEP_SECONDS * 1000 + 1000)
}

async function measureAccepts(workerd: Workerd, operator: Caller, tell: (line: string) => void) {
  const tenant = await newTenant(operator, 'accepting', acceptingLimits)
  await takeThePlace(tenant)
  const database = await workerd.miniflare.getD1Database('DB', 'd1')
  await database.prepare(createTable).run()
  const [bare, d1] = [await workerd.urlOf('bare'), await workerd.urlOf('d1')]
  const result = await contest({ gateway: gateway(tenant), bare: bareWorker(bare), d1: bareWorker(d1) }, tell)
  await requireNoneRan(tenant)
  return result
}
