/**
 * Whether one tenant's backlog delays another: the time of a neighbour's single jobs on an idle system, and then while 20,000 jobs
 * of a tenant under the ordinary plan (50 running, 6,000 starts a minute) are worked on.
 */
import { ledgerName } from '../ledger/directory/tenants.ts'
import { loadBacklog } from './fairness/backlog.ts'
import { timeJobs } from './fairness/neighbour.ts'
import type { Bench } from './support/bench.ts'
import { Caller, gatewaySpecs, newTenant, prepareDirectory } from './support/gateway.ts'
import { median } from './support/median.ts'
import { startWorkerd, type Workerd } from './support/workerd.ts'

const BACKLOG = 20_000
const JOBS = 40
const WARM_UP = 20

const wanted = { neighbour_ratio: { bound: 'at most', value: 1.5 } } as const

export const run: Bench = async (tell) => {
  tell('Bundling and starting three Workers …')
  const workerd = await startWorkerd(await gatewaySpecs({}), { inspect: true })
  try {
    const url = await workerd.urlOf('gateway')
    const operator = await Caller.signIn(url, await prepareDirectory(workerd))
    const neighbour = await newTenant(operator, 'neighbour', {})
    await timeJobs(neighbour, WARM_UP)
    tell("Timing the neighbour's jobs on the idle system …")
    const idle = await timeJobs(neighbour, JOBS)
    tell(`Accepting ${BACKLOG} jobs of the other tenant …`)
    const busy = await loadBacklog(operator, 'busy', BACKLOG)
    await busy.release()
    tell("Timing the neighbour's jobs beside that backlog …")
    const before = await finished(workerd)
    const startedAt = Date.now()
    const beside = await timeJobs(neighbour, JOBS)
    const worked = (await finished(workerd)) - before
    if (worked === 0) throw new Error('The backlog was not worked on while the neighbour was timed.')
    return {
      figures: {
        neighbour_ratio: median(beside) / median(idle),
        idle_ms: median(idle),
        beside_backlog_ms: median(beside),
        slowest_idle_ms: Math.max(...idle),
        slowest_beside_backlog_ms: Math.max(...beside),
        backlog_left: BACKLOG - before - worked,
        backlog_jobs_per_second: worked / ((Date.now() - startedAt) / 1000),
      },
      wanted,
    }
  } finally {
    await workerd.stop()
  }
}

/** Jobs of the backlog that have ended. */
async function finished({ miniflare }: Workerd): Promise<number> {
  const name = ledgerName('busy', 1)
  const ledger = await miniflare.unsafeGetDurableObjectStorage('gateway', 'TenantLedger', { name })
  const [row] = await ledger.exec('select count(*) as n from jobs where finished_at is not null')
  return Number((row as { n: number }).n)
}
