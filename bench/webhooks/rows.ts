/**
 * What an event costs its ledger, all told: SQL rows written and calls. Two tenants run the same jobs, one with an endpoint and one
 * without; the difference is what delivering costs, and the event's own row, which both write, is added.
 */
import { setTimeout as sleep } from 'node:timers/promises'
import { job } from '../accepting/job.ts'
import { inLedger } from '../chaos/ledgers.ts'
import { type Caller, newTenant } from '../support/gateway.ts'
import { median } from '../support/median.ts'
import { type Meter, quiet } from '../support/meter.ts'
import { listen } from './listener.ts'
import type { Rig } from './rig.ts'

const JOBS = 9
const EVENTS_OF_A_JOB = 2
const POLL_MS = 10
const TIMEOUT_MS = 20_000
const TOLD = 'counted-told'
const UNTOLD = 'counted-untold'

export interface EventCost {
  readonly rows: number
  readonly calls: number
}

export async function costOfAnEvent(rig: Rig): Promise<EventCost> {
  const { operator, receivers, meterOf } = rig
  const [told, untold] = [await newTenant(operator, TOLD, {}), await newTenant(operator, UNTOLD, {})]
  await listen(told, TOLD, receivers.urlFor('quick', TOLD), ['*'])
  const before = (await receivers.counts()).quick
  const [more, less] = await Promise.all([
    costOfAJob(told, meterOf(TOLD)),
    costOfAJob(untold, meterOf(UNTOLD)),
  ])
  const made = (await receivers.counts()).quick - before
  if (made !== JOBS * EVENTS_OF_A_JOB) throw new Error(`${made} webhooks came of ${JOBS} jobs.`)
  return {
    rows: (more.rows - less.rows) / EVENTS_OF_A_JOB + (await rowsOfAnEvent(rig)),
    calls: (more.calls - less.calls) / EVENTS_OF_A_JOB,
  }
}

/**
 * Jobs run alone, one after another, and each is counted by itself. Now and then one meets what the ledger writes by its own clock
 * (windows of its limits, marks at a sweep), so it is the median that is the cost of a job.
 */
async function costOfAJob(tenant: Caller, meter: Meter): Promise<EventCost> {
  const costs: EventCost[] = []
  let before = await quiet(meter)
  for (let done = 0; done < JOBS; done++) {
    await runJob(tenant)
    const after = await quiet(meter)
    costs.push({ rows: after.rowsWritten - before.rowsWritten, calls: after.calls - before.calls })
    before = after
  }
  return { rows: median(costs.map(({ rows }) => rows)), calls: median(costs.map(({ calls }) => calls)) }
}

async function runJob(tenant: Caller): Promise<void> {
  const { id } = await tenant.post<{ id: string }>('/v1/jobs', job)
  const until = Date.now() + TIMEOUT_MS
  while (!(await tenant.get<{ terminal: boolean }>(`/v1/jobs/${id}`)).terminal) {
    if (Date.now() > until) throw new Error(`${id} has not ended in ${TIMEOUT_MS} ms.`)
    await sleep(POLL_MS)
  }
}

/** The row, and an entry in each index of its table. */
async function rowsOfAnEvent({ workerd }: Rig): Promise<number> {
  const query = "select count(*) as n from sqlite_master where type = 'index' and tbl_name = 'events'"
  const [indexes] = await inLedger<{ n: number }>(workerd, TOLD, query)
  return 1 + (indexes?.n ?? 0)
}
