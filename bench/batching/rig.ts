/** What both ways are measured with: the Workers, tenants that nothing holds back, and what a run takes of time, rows and memory. */
import { setTimeout as sleep } from 'node:timers/promises'
import { Caller, gatewaySpecs, newTenant, prepareDirectory } from '../support/gateway.ts'
import { residentMb, withPeak, workerdPids } from '../support/memory.ts'
import { type MeterOf, meterSpec, metersAt, quiet } from '../support/meter.ts'
import { startWorkerd } from '../support/workerd.ts'

const SWEEP_SECONDS = 5
/** Longer than a sweep, so that the alarm that follows the end is counted as well. */
const TAIL_MS = SWEEP_SECONDS * 1000 + 1000
/** What an isolate has in production. Without a bound the engine lets garbage lie for long, and nothing could be said of memory. */
const HEAP_MB = 128

const MOST = 1_000_000
const limits = { requests_per_minute: MOST, jobs_per_minute: MOST, max_backlog: MOST, max_running: 1000 }

export interface Measured<T> {
  readonly value: T
  readonly seconds: number
  readonly rows: number
  readonly calls: number
  /** Resident memory of workerd. */
  readonly beforeMb: number
  readonly peakMb: number
}

type Work<T> = (tenant: Caller) => Promise<T>

export class Rig {
  readonly #operator: Caller
  readonly #meterOf: MeterOf
  readonly #pids = workerdPids()

  constructor(operator: Caller, meterOf: MeterOf) {
    this.#operator = operator
    this.#meterOf = meterOf
  }

  /** Nothing is measured: what is done for the first time takes longer. */
  async warmUp(tenantId: string, work: Work<unknown>): Promise<void> {
    await work(await newTenant(this.#operator, tenantId, limits))
  }

  /** `work` as a tenant of its own, whose ledger nobody else uses. */
  async measure<T>(tenantId: string, work: Work<T>): Promise<Measured<T>> {
    const tenant = await newTenant(this.#operator, tenantId, limits)
    const meter = this.#meterOf(tenantId)
    const before = await quiet(meter)
    const beforeMb = residentMb(this.#pids)
    const startedAt = performance.now()
    const { value, peakMb } = await withPeak(this.#pids, () => work(tenant))
    const seconds = (performance.now() - startedAt) / 1000
    await sleep(TAIL_MS)
    const after = await meter()
    if (after.calls <= before.calls)
      throw new Error('The ledger was started anew while its costs were counted.')
    return {
      value,
      seconds,
      rows: after.rowsWritten - before.rowsWritten,
      calls: after.calls - before.calls,
      beforeMb,
      peakMb,
    }
  }
}

/** Starts everything, and stops it when the work is over, however it ends. */
export async function withRig<T>(work: (rig: Rig) => Promise<T>): Promise<T> {
  const settings = { SWEEP_SECONDS: String(SWEEP_SECONDS), ROLL_UP_SECONDS: '60' }
  const workerd = await startWorkerd([...(await gatewaySpecs(settings)), meterSpec], { heapMb: HEAP_MB })
  try {
    const operator = await Caller.signIn(await workerd.urlOf('gateway'), await prepareDirectory(workerd))
    return await work(new Rig(operator, metersAt(await workerd.urlOf(meterSpec.name))))
  } finally {
    await workerd.stop()
  }
}
