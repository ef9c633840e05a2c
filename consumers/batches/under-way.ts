/**
 * Submissions that are under way beside the rounds of a batch's Workflow, so that a provider that hangs holds up nothing but its own
 * chunk: neither another's answer, nor a cancel, an operator's decision or the deadline.
 *
 * Which are under way is no state of the batch: that is in the ledger, and an instance that dies leaves it to be found there. A round
 * goes by what its look put on record (`standing`), so that an instance that is run again from its steps takes the same ways.
 */
import type { Tried } from './submit.ts'

export interface Standing {
  readonly underWay: readonly number[]
  /** Chunks that need not be tried before a time. */
  readonly putOff: readonly (readonly [chunk: number, notBefore: number])[]
}

export class UnderWay {
  readonly #running = new Map<number, Promise<void>>()
  readonly #putOff = new Map<number, number>()
  #faults: unknown[] = []

  standing(): Standing {
    return { underWay: [...this.#running.keys()], putOff: [...this.#putOff] }
  }

  begin(chunk: number, submission: Promise<Tried>): void {
    const ended = submission
      .then((tried) => this.#note(chunk, tried))
      .catch((fault) => void this.#faults.push(fault))
      .finally(() => this.#running.delete(chunk))
    this.#running.set(chunk, ended)
  }

  /** Until one has ended, or for so long; not at all where there is none. */
  async oneEnded(longestMs: number): Promise<void> {
    if (this.#running.size === 0) return
    let timer: ReturnType<typeof setTimeout> | undefined
    const passed = new Promise<void>((resolve) => {
      timer = setTimeout(resolve, longestMs)
    })
    await Promise.race([passed, ...this.#running.values()])
    clearTimeout(timer)
  }

  async allEnded(): Promise<void> {
    await Promise.all(this.#running.values())
  }

  /** A step that failed for good ends the instance; not before the others have told what became of theirs. */
  async throwFaults(): Promise<void> {
    if (this.#faults.length === 0) return
    await this.allEnded()
    throw this.#faults[0]
  }

  #note(chunk: number, tried: Tried): void {
    if (tried) this.#putOff.set(chunk, tried.notBefore)
    else this.#putOff.delete(chunk)
  }
}
