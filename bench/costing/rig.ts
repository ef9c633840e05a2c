/** The three Workers, counted, on a clock that can be put forward; and how their counts are read. */
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { ledgerName } from '../../ledger/directory/tenants.ts'
import { Caller, type Credentials, gatewaySpecs, newClient, prepareDirectory } from '../support/gateway.ts'
import { median } from '../support/median.ts'
import { cpuMs, workerdPids } from '../support/memory.ts'
import { startWorkerd, type Workerd } from '../support/workerd.ts'
import type { Look } from './workers/gateway.ts'
import type { Counted, Reading } from './workers/meters.ts'

const workers = ['gateway', 'consumers', 'callbacks'] as const
/** Those of production, as far as they decide what is done how often. */
const settings = {
  SWEEP_SECONDS: '60',
  LEASE_SECONDS: '60',
  RUN_TIMEOUT_SECONDS: '120',
  BATCH_POLL_MS: '10000',
  BATCH_POLL_CAP_MS: '300000',
  BATCH_GRACE_SECONDS: '300',
}
const QUIET_MS = 40
const LOOKS = 3

/** What was used while something was done. */
export interface Measure {
  readonly counts: Partial<Record<Counted, number>>
  /** By what was called: how often, and the median of how long it took, in ms. */
  readonly calls: Record<string, { readonly times: number; readonly medianMs: number }>
  /** CPU time of the whole local runtime. */
  readonly cpuMs: number
}

export class Rig {
  readonly workerd: Workerd
  readonly #urls: Record<string, URL>
  readonly #operator: Credentials
  readonly #pids = workerdPids()

  private constructor(workerd: Workerd, urls: Record<string, URL>, operator: Credentials) {
    this.workerd = workerd
    this.#urls = urls
    this.#operator = operator
  }

  /** Starts everything, and stops it when the work is over, however it ends. */
  static async with<T>(work: (rig: Rig) => Promise<T>): Promise<T> {
    const specs = (await gatewaySpecs(settings)).map((spec) => ({
      ...spec,
      entry: join(import.meta.dirname, 'workers', `${spec.name}.ts`),
    }))
    const workerd = await startWorkerd(specs)
    try {
      const urls = await Promise.all(workers.map(async (name) => [name, await workerd.urlOf(name)] as const))
      return await work(new Rig(workerd, Object.fromEntries(urls), await prepareDirectory(workerd)))
    } finally {
      await workerd.stop()
    }
  }

  #at(worker: (typeof workers)[number], path: string): URL {
    return new URL(path, this.#urls[worker])
  }

  /** Tokens end when time passes, so a customer comes back with the client's credentials. */
  async newTenant(id: string, limits: object): Promise<Credentials> {
    const operator = await this.signIn(this.#operator)
    return newClient(operator, id, limits)
  }

  signIn(credentials: Credentials): Promise<Caller> {
    return Caller.signIn(this.#at('gateway', '/'), credentials)
  }

  async look(tenantId: string): Promise<Look> {
    const ledger = encodeURIComponent(ledgerName(tenantId, 1))
    return (await (await fetch(this.#at('gateway', `/costing/ledger?ledger=${ledger}`))).json()) as Look
  }

  /** So much time passes for all Workers, and for the tenant's ledger. */
  async passTime(ms: number, tenantId: string): Promise<void> {
    const ledger = encodeURIComponent(ledgerName(tenantId, 1))
    for (const worker of workers) await fetch(this.#at(worker, `/costing/clock?ms=${ms}`))
    await fetch(this.#at('gateway', `/costing/ledger?ledger=${ledger}&ms=${ms}`))
  }

  /** The minute's cron. */
  async tick(): Promise<void> {
    await fetch(this.#at('consumers', '/costing/tick'))
  }

  /** What the work and all that follows from it at once took. */
  async measure(work: () => Promise<void>): Promise<Measure> {
    await this.quiet()
    const before = await this.#read()
    await work()
    await this.quiet()
    return difference(before, await this.#read())
  }

  /** Resolves when nothing has been counted for some looks. */
  async quiet(): Promise<void> {
    let [last, looks] = ['', 0]
    while (looks < LOOKS) {
      const now = JSON.stringify((await this.#readings()).map(({ counts }) => counts))
      looks = now === last ? looks + 1 : 0
      last = now
      await sleep(QUIET_MS)
    }
  }

  #readings = () =>
    Promise.all(
      workers.map(
        async (worker) => (await (await fetch(this.#at(worker, '/costing/counts'))).json()) as Reading,
      ),
    )

  async #read() {
    return { readings: await this.#readings(), cpuMs: cpuMs(this.#pids) }
  }
}

type Read = { readonly readings: readonly Reading[]; readonly cpuMs: number }

function difference(before: Read, after: Read): Measure {
  const counts = sums(after.readings)
  for (const [name, n] of Object.entries(sums(before.readings))) counts[name] = (counts[name] ?? 0) - n
  const [then, now] = [timesOf(before.readings), timesOf(after.readings)]
  const fresh = Object.entries(now).map(
    ([name, times]) => [name, times.slice(then[name]?.length ?? 0)] as const,
  )
  return {
    counts,
    calls: Object.fromEntries(
      fresh
        .filter(([, times]) => times.length > 0)
        .map(([name, times]) => [name, { times: times.length, medianMs: median(times) }]),
    ),
    cpuMs: after.cpuMs - before.cpuMs,
  }
}

function sums(readings: readonly Reading[]): Record<string, number> {
  const all: Record<string, number> = {}
  for (const { counts } of readings)
    for (const [name, n] of Object.entries(counts)) all[name] = (all[name] ?? 0) + n
  return all
}

/** By Worker and by what it called, in the order of the calls. */
const timesOf = (readings: readonly Reading[]): Record<string, number[]> =>
  Object.fromEntries(
    readings.flatMap(({ times }, at) =>
      Object.entries(times).map(([name, all]) => [`${workers[at]} ${name}`, all] as const),
    ),
  )
