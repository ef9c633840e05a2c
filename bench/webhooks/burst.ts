/**
 * How fast a backlog of events is delivered. It gathers behind receivers that do not answer, and is timed from the moment at which
 * they do; the jobs themselves do not run meanwhile, so that nothing but deliveries takes workerd's one thread.
 */
import { monotonicMs } from '../support/clock.ts'
import { quiet } from '../support/meter.ts'
import { newBacklog } from './backlog.ts'
import type { Rig } from './rig.ts'
import { verify } from './verify.ts'

const TIMEOUT_MS = 60_000

export interface Burst {
  readonly perSecond: number
  readonly callsPerEvent: number
  /** Webhooks beyond the first of an event. */
  readonly repeats: number
}

/** A fresh tenant's backlog of `jobs` events for each of `endpoints` endpoints. */
export async function measureBurst(
  rig: Rig,
  tenantId: string,
  endpoints: number,
  jobs: number,
): Promise<Burst> {
  const { workerd, receivers, meterOf } = rig
  const meter = meterOf(tenantId)
  await receivers.ask('closeGate')
  const before = (await receivers.counts()).gated
  const { listeners } = await newBacklog(rig, tenantId, 'gated', endpoints, jobs)
  const callsBefore = (await meter()).calls

  const openedAt = monotonicMs()
  await receivers.ask('openGate')
  await receivers.waitFor('gated', before + endpoints * jobs, TIMEOUT_MS)
  const { calls } = await quiet(meter)
  const received = await receivers.take()

  const after = received.filter(({ at }) => at > openedAt)
  const lastAt = Math.max(...after.map(({ at }) => at))
  const verified = await Promise.all(listeners.map((one) => verify(workerd, one, received)))
  return {
    perSecond: after.length / ((lastAt - openedAt) / 1000),
    callsPerEvent: (calls - callsBefore) / after.length,
    repeats: verified.reduce((sum, { repeats }) => sum + repeats, 0),
  }
}
