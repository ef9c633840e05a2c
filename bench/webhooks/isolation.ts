/** Whether receivers that hang delay another tenant's webhooks: rounds alone and beside such a tenant, in turn. */
import { setTimeout as sleep } from 'node:timers/promises'
import type { Caller } from '../support/gateway.ts'
import { median } from '../support/median.ts'
import { percentile } from '../support/percentile.ts'
import { type Backlog, newBacklog } from './backlog.ts'
import { type Round, submitForAWhile } from './first-attempts.ts'
import type { Rig } from './rig.ts'

/** Rounds beside a neighbour; there is one more alone, so that each of them lies between two of those. */
const ROUNDS = 2
const ALONE_MS = 5000
/** Longer than the 15 s after which a hanging attempt is given up, so that a round sees the next ones begin. */
const BESIDE_MS = 16_000
const ENDPOINTS = 8
/** A round's percentiles are taken over as many jobs at a time, so that a long round counts as several short ones. */
const JOBS_OF_A_PERCENTILE = 100
/** Events that wait at each hanging endpoint. */
const EVENTS = 60
const TIMEOUT_MS = 10_000
const PAUSE_MS = 1000

export interface Isolation {
  readonly alone: readonly Round[]
  readonly beside: readonly Round[]
  /** Medians of the 95th percentiles. */
  readonly aloneP95: number
  readonly besideP95: number
  /** Attempts that were left hanging in the round that had the fewest. */
  readonly hanging: number
}

export async function measureIsolation(
  rig: Rig,
  healthy: Caller,
  tell: (line: string) => void,
): Promise<Isolation> {
  const { receivers } = rig
  const alone = [await submitForAWhile(healthy, receivers, ALONE_MS)]
  const beside: Round[] = []
  const hanging: number[] = []
  for (let at = 1; at <= ROUNDS; at++) {
    const neighbour = await startHanging(rig, `hanging-${at}`)
    beside.push(await submitForAWhile(healthy, receivers, BESIDE_MS))
    hanging.push(await neighbour.stop())
    alone.push(await submitForAWhile(healthy, receivers, ALONE_MS))
    tell(`p95 beside ${shown(beside.slice(-1))} ms, alone before and after ${shown(alone.slice(-2))} ms`)
  }
  return {
    alone,
    beside,
    aloneP95: median(alone.flatMap(p95s)),
    besideP95: median(beside.flatMap(p95s)),
    hanging: Math.min(...hanging),
  }
}

const p95s = ({ attemptMs }: Round): number[] =>
  Array.from({ length: Math.floor(attemptMs.length / JOBS_OF_A_PERCENTILE) }, (_, at) =>
    percentile(attemptMs.slice(at * JOBS_OF_A_PERCENTILE, (at + 1) * JOBS_OF_A_PERCENTILE), 0.95),
  )

const shown = (rounds: readonly Round[]) =>
  rounds
    .flatMap(p95s)
    .map((ms) => ms.toFixed(0))
    .join(', ')

interface Neighbour {
  /** Ends it, waits until nothing of it is left, and answers how many of its attempts hung. */
  stop(): Promise<number>
}

/** A tenant with more to deliver than its receivers, none of which answers, let go within a round. */
async function startHanging(rig: Rig, tenantId: string): Promise<Neighbour> {
  const { receivers } = rig
  const before = (await receivers.counts()).hanging
  const backlog = await newBacklog(rig, tenantId, 'hanging', ENDPOINTS, EVENTS)
  await receivers.waitFor('hanging', before + ENDPOINTS, TIMEOUT_MS)
  await sleep(PAUSE_MS)
  return {
    async stop() {
      const after = (await receivers.counts()).hanging
      await deleteEndpoints(backlog)
      await receivers.ask('cutHanging')
      await sleep(PAUSE_MS)
      return after - before
    },
  }
}

async function deleteEndpoints({ tenant: { url, authorization }, listeners }: Backlog): Promise<void> {
  for (const { endpointId } of listeners) {
    const target = new URL(`/v1/webhook_endpoints/${endpointId}`, url)
    const { status } = await fetch(target, { method: 'DELETE', headers: { Authorization: authorization } })
    if (status !== 204) throw new Error(`Deleting an endpoint was answered ${status}.`)
  }
}
