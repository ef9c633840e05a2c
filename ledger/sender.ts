/**
 * Sends one queue's messages from a ledger, without the ledger ever waiting for it.
 *
 * A send that hangs is given up after ten seconds, and a generation number, not a lock, says which run is current, so that a hung
 * send cannot wedge the ledger. What fails goes back to the owner at once, and nothing is sent until the pause is over.
 */
import { errorName, type Log } from './log.ts'

export interface SenderParts {
  readonly now: () => number
  readonly log: Log
  readonly sendTimeoutMs: number
}

export const SEND_TIMEOUT_MS = 10_000
const PAUSE_MS = 1000
const PAUSE_CAP_MS = 60_000
const MESSAGES_PER_SEND = 100

export class Sender<M> {
  readonly #queue: Pick<Queue<M>, 'sendBatch'>
  readonly #parts: SenderParts
  readonly #onFailed: (messages: M[]) => void
  #waiting: M[] = []
  #generation = 0
  #running = false
  #failures = 0
  #pausedUntil = 0

  constructor(queue: Pick<Queue<M>, 'sendBatch'>, parts: SenderParts, onFailed: (messages: M[]) => void) {
    this.#queue = queue
    this.#parts = parts
    this.#onFailed = onFailed
  }

  /** When sending may go on; in the past when it may now. */
  get pausedUntil() {
    return this.#pausedUntil
  }

  /** Messages handed over and not yet sent. */
  get waiting() {
    return this.#waiting.length
  }

  offer(messages: M[]): void {
    this.#waiting.push(...messages)
    if (!this.#running && this.#waiting.length > 0) void this.#run(++this.#generation)
  }

  async #run(generation: number): Promise<void> {
    this.#running = true
    while (generation === this.#generation && this.#waiting.length > 0) {
      const page = this.#waiting.splice(0, MESSAGES_PER_SEND)
      if (!(await this.#send(page))) break
    }
    if (generation === this.#generation) this.#running = false
  }

  async #send(messages: M[]): Promise<boolean> {
    try {
      await this.#withinTime(this.#queue.sendBatch(messages.map((body) => ({ body }))))
      this.#failures = 0
      return true
    } catch (error) {
      this.#giveBack(messages, error)
      return false
    }
  }

  #giveBack(messages: M[], error: unknown) {
    this.#pausedUntil = this.#parts.now() + Math.min(PAUSE_CAP_MS, PAUSE_MS * 2 ** this.#failures++)
    const failed = [...messages, ...this.#waiting.splice(0)]
    this.#parts.log('queue.send_failed', { messages: failed.length, error: errorName(error) })
    this.#onFailed(failed)
  }

  async #withinTime(sending: Promise<unknown>): Promise<void> {
    let timer: ReturnType<typeof setTimeout> | null = null
    const late = new Promise<never>((_, reject) => {
      timer = setTimeout(reject, this.#parts.sendTimeoutMs, new Error('The queue took too long.'))
    })
    try {
      await Promise.race([sending, late])
    } finally {
      clearTimeout(timer)
    }
  }
}
