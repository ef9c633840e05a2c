/** Whether receivers that hang delay another tenant's webhooks: rounds without such a tenant, and beside one, in turn. */
import { setTimeout as sleep } from 'node:timers/promises'
import type { Caller } from '../support/gateway.ts'
import { median } from '../support/median.ts'
import { percentile } from '../support/percentile.ts'
import { type Backlog, newBacklog } from './backlog.ts'
import { type Round, submitForAWhile } from './first-attempts.ts'
import type { Rig } from './rig.ts'

const ROUNDS = 3
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
  const rounds: { alone: Round; beside: Round; hanging: number }[] = []
  for (let at = 1; at <= ROUNDS; at++) {
    const alone = await submitForAWhile(healthy, rig.receivers, ALONE_MS)
    const neighbour = await startHanging(rig, `hanging-${at}`)
    const beside = await submitForAWhile(healthy, rig.receivers, BESIDE_MS)
    rounds.push({ alone, beside, hanging: await neighbour.stop() })
    const [p95Alone, p95Beside] = [alone, beside].map((round) => median(p95s(round)).toFixed(0))
    tell(`round ${at}: p95 ${p95Alone} ms alone, ${p95Beside} ms beside`)
  }
  const [alone, beside] = [rounds.map((round) => round.alone), rounds.map((round) => round.beside)]
  return {
    alone,
    beside,
    aloneP95: median(alone.flatMap(p95s)),
    besideP95: median(beside.flatMap(p95s)),
    hanging: Math.min(...rounds.map(({ hanging }) => hanging)),
  }
}

const p95s = ({ attemptMs }: Round): number[] =>
  Array.from({ length: Math.floor(attemptMs.length / JOBS_OF_A_PERCENTILE) }, (_, at) =>
    percentile(attemptMs.slice(at * JOBS_OF_A_PERCENTILE, (at + 1) * JOBS_OF_A_PERCENTILE), 0.95),
  )

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
