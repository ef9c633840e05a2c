/** Small jobs of a tenant with one endpoint, from the request to the second webhook, and their deletion. */
import { job } from '../accepting/job.ts'
import type { Caller } from '../support/gateway.ts'
import { type Receiver, startReceiver } from '../support/receiver.ts'
import { deleteAll, sizesOf } from './deletion.ts'
import type { Counts } from './prices.ts'
import type { Measure, Rig } from './rig.ts'
import { gbSeconds, sum } from './sheet.ts'
import { storedBy } from './times.ts'

const EVENTS = 2
const TIMEOUT_MS = 120_000
/** Customers that wait for one job each before they submit the next. */
const AT_ONCE = 8
/** A million jobs in thirty days, one as far from the other as can be. */
const APART_MS = 2592
const WARM_UP = 24

/** What one job costs, of `jobs` that some customers submit as fast as they end. */
export async function busyJobs(rig: Rig, jobs: number): Promise<Counts> {
  return withTenant(rig, 'busy', async (submit) => {
    await sideBySide(AT_ONCE, WARM_UP, submit)
    const work = await rig.measure(() => sideBySide(AT_ONCE, jobs, submit))
    const deletion = await deleteAll(rig, 'busy', 'jobs')
    const all = jobs + WARM_UP
    return sum([
      ...eachOf([work], jobs),
      ...eachOf(deletion.measures, all),
      { counts: { object_storage_gb_months: storedBy(sizesOf(deletion, all)) }, times: 1 },
    ])
  })
}

/** Of jobs of which each is alone, and over before the next comes: nothing shares a call, a message or a row. CPU is not told apart. */
export async function lonelyJobs(
  rig: Rig,
  jobs: number,
  { worker_cpu_ms, object_storage_gb_months }: Counts,
) {
  return withTenant(rig, 'lonely', async (submit) => {
    const alone = async () => {
      await submit()
      await rig.quiet()
      await rig.passTime(APART_MS, 'lonely')
    }
    await alone()
    const work = await rig.measure(() => sideBySide(1, jobs, alone))
    const deletion = await deleteAll(rig, 'lonely', 'jobs')
    const { worker_cpu_ms: _, ...counts } = sum([
      ...eachOf([work], jobs),
      ...eachOf(deletion.measures, jobs + 1),
    ])
    return sum([
      { counts, times: 1 },
      { counts: { worker_cpu_ms, object_storage_gb_months } as Counts, times: 1 },
    ])
  })
}

/** The parts of a sum: what was measured of `many`, for one of them. */
export const eachOf = (measures: readonly Measure[], many: number) =>
  measures.map((measure) => ({
    counts: { ...measure.counts, worker_cpu_ms: measure.cpuMs, object_gb_seconds: gbSeconds(measure) },
    times: 1 / many,
  }))

type Submit = () => Promise<void>

async function withTenant<T>(rig: Rig, id: string, work: (submit: Submit) => Promise<T>): Promise<T> {
  const receiver = await startReceiver()
  try {
    const tenant = await rig.signIn(await rig.newTenant(id, {}))
    await tenant.post('/v1/webhook_endpoints', { url: receiver.url })
    return await work(() => runJob(tenant, receiver))
  } finally {
    receiver.stop()
  }
}

async function runJob(tenant: Caller, receiver: Receiver): Promise<void> {
  const { id } = await tenant.post<{ id: string }>('/v1/jobs', job)
  await receiver.waitFor(id, EVENTS, TIMEOUT_MS)
}

async function sideBySide(atOnce: number, times: number, work: Submit): Promise<void> {
  let left = times
  const loop = async () => {
    while (left-- > 0) await work()
  }
  await Promise.all(Array.from({ length: atOnce }, loop))
}
