/** Requests derived from the documents and mutated, at the three real Workers; and what was wrong with the answers. */

import { newChance } from '../chaos/chance.ts'
import type { Outcome as BenchOutcome } from '../support/bench.ts'
import { Caller, gatewaySpecs, prepareDirectory } from '../support/gateway.ts'
import { keepAlive } from '../support/load.ts'
import { percentile } from '../support/percentile.ts'
import { startWorkerd } from '../support/workerd.ts'
import { compose } from './compose.ts'
import { type Fault, judge } from './judge.ts'
import { mutate, wireOf } from './mutate.ts'
import { type Operation, readOperations } from './operations.ts'
import { type Outcome, send, shown, type Wire } from './request.ts'
import { newWorld, type World } from './world.ts'

export interface FuzzOptions {
  readonly requests: number
  readonly seed: number
  /** The number of the one request to send. */
  readonly only: number | null
  readonly tell: (line: string) => void
}

const CONNECTIONS = 12
/** What paths lead to is made anew so often, for requests delete it, cancel it and change it. */
const WORLD_LASTS = 500
const TOLD_EVERY = 5000
const FAULTS_SHOWN = 10

const nothing = { bound: 'at most', value: 0 } as const
const faults: Record<Fault, typeof nothing> = {
  server_errors: nothing,
  non_problem_errors: nothing,
  hangs: nothing,
  lost_answers: nothing,
  echoes: nothing,
  bare_answers: nothing,
  unheard_of: nothing,
}

interface Tally {
  readonly faults: Record<Fault, number>
  readonly statuses: Map<number, number>
  readonly operations: Set<string>
  readonly ms: number[]
  shown: number
}

export async function runFuzz({ requests, seed, only, tell }: FuzzOptions): Promise<BenchOutcome> {
  tell(`Seed ${seed}. Bundling and starting the three Workers …`)
  const logged: string[] = []
  const workerd = await startWorkerd(await gatewaySpecs({ ALLOW_LOOPBACK_WEBHOOKS: '1' }), {
    onLog: (line) => isInternal(line) && logged.push(line),
  })
  try {
    const url = await workerd.urlOf('gateway')
    const operator = await Caller.signIn(url, await prepareDirectory(workerd))
    const run = new Fuzz(url, operator, await readOperations(url), seed, tell)
    if (only === null) await run.all(requests)
    else await run.one(only)
    for (const line of logged.slice(0, FAULTS_SHOWN)) tell(`logged: ${line}`)
    return outcomeOf(run, logged.length)
  } finally {
    await workerd.stop()
  }
}

const isInternal = (line: string) => line.includes('"request.failed"') && line.includes('"internal"')

function outcomeOf({ tally, sent }: Fuzz, loggedFaults: number): BenchOutcome {
  const statuses = [...tally.statuses].sort(([a], [b]) => a - b)
  return {
    figures: {
      requests: sent,
      operations: tally.operations.size,
      ...tally.faults,
      logged_faults: loggedFaults,
      p99_ms: tally.ms.length > 0 ? percentile(tally.ms, 0.99) : 0,
      ...Object.fromEntries(statuses.map(([status, count]) => [`status_${status}`, count])),
    },
    wanted: { ...faults, logged_faults: nothing },
  }
}

class Fuzz {
  readonly tally: Tally = {
    faults: Object.fromEntries(Object.keys(faults).map((name) => [name, 0])) as Record<Fault, number>,
    statuses: new Map(),
    operations: new Set(),
    ms: [],
    shown: 0,
  }
  sent = 0
  readonly #agent = keepAlive(CONNECTIONS)
  readonly #url: URL
  readonly #operator: Caller
  readonly #operations: readonly Operation[]
  readonly #seed: number
  readonly #tell: (line: string) => void

  constructor(
    url: URL,
    operator: Caller,
    operations: readonly Operation[],
    seed: number,
    tell: (line: string) => void,
  ) {
    this.#url = url
    this.#operator = operator
    this.#operations = operations
    this.#seed = seed
    this.#tell = tell
  }

  async all(requests: number): Promise<void> {
    for (let from = 0; from < requests; from += WORLD_LASTS) {
      const world = await newWorld(this.#operator)
      const to = Math.min(requests, from + WORLD_LASTS)
      let next = from
      const loop = async () => {
        while (next < to) await this.#shoot(next++, world)
      }
      await Promise.all(Array.from({ length: CONNECTIONS }, loop))
      if (to % TOLD_EVERY === 0) this.#tell(`${to} requests`)
    }
    this.#agent.destroy()
  }

  async one(number: number): Promise<void> {
    const { wire, outcome } = await this.#shoot(number, await newWorld(this.#operator))
    this.#tell(`${shown(wire)}\n\n${JSON.stringify(outcome, null, 2)}`)
    this.#agent.destroy()
  }

  /** All chance of a request is the seed's and its number's. */
  async #shoot(number: number, world: World): Promise<{ wire: Wire; outcome: Outcome }> {
    const chance = newChance(this.#seed * 1_000_003 + number)
    const operation = chance.pick(this.#operations)
    const wire = wireOf(mutate(compose(operation, world, chance), chance, world))
    const outcome = await send(this.#url, wire, this.#agent)
    this.#note(number, wire, outcome)
    return { wire, outcome }
  }

  #note(number: number, wire: Wire, outcome: Outcome): void {
    this.sent++
    this.tally.operations.add(wire.operation)
    if (outcome.kind === 'answer') {
      const { status } = outcome.answer
      this.tally.statuses.set(status, (this.tally.statuses.get(status) ?? 0) + 1)
      this.tally.ms.push(outcome.ms)
    }
    for (const { fault, why } of judge(wire, outcome)) {
      this.tally.faults[fault]++
      if (this.tally.shown++ < FAULTS_SHOWN)
        this.#tell(
          `\n${fault}: ${why}\nAgain: npm run fuzz -- --seed ${this.#seed} --only ${number}\n${shown(wire)}\n`,
        )
    }
  }
}
