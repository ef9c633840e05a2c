/** Accepts per second of the gateway and of the two baselines, in alternating rounds. */
import type { Caller } from '../support/gateway.ts'
import { fire, keepAlive, type Target } from '../support/load.ts'
import { median } from '../support/median.ts'
import { job } from './job.ts'

const CONNECTIONS = 24
const WARM_UP_MS = 1500
/** Many short rounds rather than few long ones: what else the machine does then strikes all alike. */
const ROUND_MS = 1000
const ROUNDS = 11
const contestants = ['gateway', 'bare', 'd1'] as const
type Contestant = (typeof contestants)[number]
type Round = Record<Contestant, number>

const body = JSON.stringify(job)

const baseline = (url: URL): Target => ({
  url,
  shot: () => ({ method: 'POST', path: '/v1/jobs', headers: { 'Content-Type': 'application/json' }, body }),
  expect: 202,
})

/** A fresh key for each request, as a customer's own requests have. */
const real = ({ url, authorization }: Caller): Target => ({
  url,
  shot: () => ({
    ...baseline(url).shot(),
    headers: {
      'Content-Type': 'application/json',
      Authorization: authorization,
      'Idempotency-Key': crypto.randomUUID(),
    },
  }),
  expect: 202,
})

/** Ratios are taken within a round, since the machine's pace changes from round to round. */
export async function measureThroughput(tenant: Caller, bare: URL, d1: URL, tell: (line: string) => void) {
  const targets = { gateway: real(tenant), bare: baseline(bare), d1: baseline(d1) }
  const agent = keepAlive(CONNECTIONS)
  const shoot = async (name: Contestant, ms: number) =>
    (await fire(targets[name], CONNECTIONS, ms, agent)).perSecond
  try {
    for (const name of contestants) await shoot(name, WARM_UP_MS)
    const rounds: Round[] = []
    for (let at = 0; at < ROUNDS; at++) {
      const round = await oneRound(at, (name) => shoot(name, ROUND_MS))
      tell(`round ${at + 1}: ${contestants.map((name) => `${name} ${round[name].toFixed(0)}/s`).join(', ')}`)
      rounds.push(round)
    }
    return summary(rounds)
  } finally {
    agent.destroy()
  }
}

/** Each contestant takes each place in turn, so that nobody always follows the same one. */
async function oneRound(at: number, shoot: (name: Contestant) => Promise<number>): Promise<Round> {
  const round: Round = { gateway: 0, bare: 0, d1: 0 }
  const first = at % contestants.length
  for (const name of [...contestants.slice(first), ...contestants.slice(0, first)])
    round[name] = await shoot(name)
  return round
}

const summary = (rounds: Round[]) => ({
  perSecond: Object.fromEntries(
    contestants.map((name) => [name, median(rounds.map((round) => round[name]))]),
  ) as Round,
  vsBare: median(rounds.map(({ gateway, bare }) => gateway / bare)),
  vsD1: median(rounds.map(({ gateway, d1 }) => gateway / d1)),
})
