/** What is to go wrong in a Worker, by a seed: decided by the name of what it strikes, so that both copies of a message agree. */
import { chanceOf } from '../chance.ts'

const KILLED = 0.1
/** Of the killed runs, those that take the rest of their batch along. */
const TAKES_NEIGHBOURS = 0.2
/** Of the messages of a killed run, those that are lost, and not delivered again by the queue. */
const LOST = 0.5
const FAULTY_CALL = 0.03
/** Of what the Workflows of batches have to say of a provider's answer, or have to keep. */
const FLOW_KILLED = 0.06

export type CallFault = 'unreachable' | 'reply_lost' | null

export class Fate {
  readonly #seed: number

  constructor(seed: number) {
    this.#seed = seed
  }

  /** The process dies after the provider answered and before anything is settled. */
  kills = (jobId: string, attempt: number) => chanceOf(this.#seed, 'kill', jobId, attempt) < KILLED

  /** The Workflow's process dies before this call, which its ledger never hears. */
  killsFlow = (call: string) => chanceOf(this.#seed, 'flow', call) < FLOW_KILLED

  takesNeighbours = (jobId: string, attempt: number) =>
    chanceOf(this.#seed, 'neighbours', jobId, attempt) < TAKES_NEIGHBOURS

  loses = (messageId: string) => chanceOf(this.#seed, 'lose', messageId) < LOST

  /** What befalls one call to a ledger; `call` names it. */
  callFault(call: string): CallFault {
    const chance = chanceOf(this.#seed, 'call', call)
    if (chance < FAULTY_CALL) return 'reply_lost'
    return chance < FAULTY_CALL * 2 ? 'unreachable' : null
  }
}
