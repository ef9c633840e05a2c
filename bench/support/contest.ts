/** Requests a second at several targets, in alternating rounds. */
import { fire, keepAlive, type Target } from './load.ts'
import { median } from './median.ts'

const CONNECTIONS = 24
const WARM_UP_MS = 1500
/** Many short rounds rather than few long ones: what else the machine does then strikes all alike. */
const ROUND_MS = 1000
const ROUNDS = 11

export interface Contest<N extends string> {
  /** Requests a second, the median of all rounds. */
  readonly perSecond: Record<N, number>
  /** How many times as fast one was as the other: the median of what each round gave, since the machine's pace changes. */
  ratio(one: N, other: N): number
}

/** Fires at each of the targets in each round; `tell` gets a line for each round. */
export async function contest<N extends string>(
  targets: Record<N, Target>,
  tell: (line: string) => void,
): Promise<Contest<N>> {
  const names = Object.keys(targets) as N[]
  const agent = keepAlive(CONNECTIONS)
  const shoot = async (name: N, ms: number) => (await fire(targets[name], CONNECTIONS, ms, agent)).perSecond
  try {
    for (const name of names) await shoot(name, WARM_UP_MS)
    const rounds: Record<N, number>[] = []
    for (let at = 0; at < ROUNDS; at++) {
      const round = await oneRound(names, at, (name) => shoot(name, ROUND_MS))
      tell(`round ${at + 1}: ${names.map((name) => `${name} ${round[name].toFixed(0)}/s`).join(', ')}`)
      rounds.push(round)
    }
    return summary(names, rounds)
  } finally {
    agent.destroy()
  }
}

/** Each takes each place in turn, so that nobody always follows the same one. */
async function oneRound<N extends string>(
  names: readonly N[],
  at: number,
  shoot: (name: N) => Promise<number>,
): Promise<Record<N, number>> {
  const first = at % names.length
  const paces: [N, number][] = []
  for (const name of [...names.slice(first), ...names.slice(0, first)]) paces.push([name, await shoot(name)])
  return Object.fromEntries(paces) as Record<N, number>
}

const summary = <N extends string>(names: readonly N[], rounds: Record<N, number>[]): Contest<N> => ({
  perSecond: Object.fromEntries(
    names.map((name) => [name, median(rounds.map((round) => round[name]))]),
  ) as Record<N, number>,
  ratio: (one, other) => median(rounds.map((round) => round[one] / round[other])),
})
