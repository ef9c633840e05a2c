/**
 * Webhooks: how soon the first attempt is made, how fast a backlog is delivered, whether receivers that hang delay other tenants, and
 * what an event costs its ledger. Everything that was delivered is verified afterwards.
 */
import type { Bench } from './support/bench.ts'
import { newTenant } from './support/gateway.ts'
import { percentile } from './support/percentile.ts'
import { measureBurst } from './webhooks/burst.ts'
import { submitForAWhile } from './webhooks/first-attempts.ts'
import { measureIsolation } from './webhooks/isolation.ts'
import { listen } from './webhooks/listener.ts'
import { type Rig, withRig } from './webhooks/rig.ts'
import { costOfAnEvent } from './webhooks/rows.ts'
import { verify } from './webhooks/verify.ts'

const WARM_UP_MS = 2000
const EVENTS = 2000
const ENDPOINTS = 4

const wanted = {
  healthy_p95_ratio: { bound: 'at most', value: 1.5 },
  rows_per_event: { bound: 'at most', value: 5 },
} as const

type Tell = (line: string) => void

export const run: Bench = async (tell) => {
  tell('Bundling and starting four Workers …')
  const figures = await withRig(async (rig) => ({
    ...(await measureFirsts(rig, tell)),
    ...(await measureBursts(rig, tell)),
    ...(await measureCosts(rig, tell)),
  }))
  return { figures, wanted }
}

async function measureFirsts(rig: Rig, tell: Tell) {
  const { workerd, operator, receivers } = rig
  const healthy = await newTenant(operator, 'healthy', {})
  const listener = await listen(healthy, 'healthy', receivers.urlFor('quick', 'healthy'), ['*'])
  const warmUp = await submitForAWhile(healthy, receivers, WARM_UP_MS)
  tell('Timing first attempts, alone and beside a tenant whose endpoints hang …')
  const { alone, beside, aloneP95, besideP95, hanging } = await measureIsolation(rig, healthy, tell)
  const received = [warmUp, ...alone, ...beside].flatMap((round) => round.received)
  const { repeats } = await verify(workerd, listener, received)
  const attemptMs = alone.flatMap((round) => round.attemptMs)
  return {
    first_attempt_p50_ms: percentile(attemptMs, 0.5),
    first_attempt_p95_ms: percentile(attemptMs, 0.95),
    first_attempt_p99_ms: percentile(attemptMs, 0.99),
    accept_p50_ms: percentile(
      alone.flatMap(({ acceptMs }) => acceptMs),
      0.5,
    ),
    healthy_p95_ratio: besideP95 / aloneP95,
    healthy_p95_alone_ms: aloneP95,
    healthy_p95_beside_ms: besideP95,
    hanging_attempts: hanging,
    repeated_webhooks: repeats,
  }
}

async function measureBursts(rig: Rig, tell: Tell) {
  tell(`Delivering ${EVENTS} events to one endpoint …`)
  const one = await measureBurst(rig, 'bursting', 1, EVENTS)
  tell(`Delivering ${EVENTS / ENDPOINTS} events to each of ${ENDPOINTS} endpoints …`)
  const several = await measureBurst(rig, 'bursting-wide', ENDPOINTS, EVENTS / ENDPOINTS)
  return {
    deliveries_per_second: one.perSecond,
    deliveries_per_second_to_four_endpoints: several.perSecond,
    ledger_calls_per_event_in_a_burst: one.callsPerEvent,
    repeated_webhooks_in_bursts: one.repeats + several.repeats,
  }
}

async function measureCosts(rig: Rig, tell: Tell) {
  tell('Counting rows and calls …')
  const { rows, calls } = await costOfAnEvent(rig)
  return { rows_per_event: rows, ledger_calls_per_event: calls }
}
