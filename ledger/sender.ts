/**
 * Sends one queue's messages from a ledger, without the ledger ever waiting for it.
 *
 * A send that hangs is given up after ten seconds, and a generation number, not a lock, says which run is current, so that nothing
 * can wedge the ledger. What fails goes back to the owner at once, who offers it again after the pause.
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
  /** The current run, and when it last made progress; a run that finds another number here is not the current one any more. */
  #run = { generation: 0, aliveAt: Number.NEGATIVE_INFINITY }
  #failures = 0
  #pausedUntil = 0

  constructor(queue: Pick<Queue<M>, 'sendBatch'>, parts: SenderParts, onFailed: (messages: M[]) => void) {
    this.#queue = queue
    this.#parts = parts
    this.#onFailed = onFailed
  }

  /** After a failure, when to offer messages again; in the past when nothing speaks against it. */
  get pausedUntil() {
    return this.#pausedUntil
  }

  /** Takes messages to send. They are sent, or given back; this call waits for neither. */
  offer(messages: M[]): void {
    this.#waiting.push(...messages)
    const current = this.#parts.now() - this.#run.aliveAt < 2 * this.#parts.sendTimeoutMs
    if (!current && this.#waiting.length > 0) void this.#start(this.#run.generation + 1)
  }

  async #start(generation: number): Promise<void> {
    while (this.#waiting.length > 0) {
      this.#run = { generation, aliveAt: this.#parts.now() }
      await this.#send(this.#waiting.splice(0, MESSAGES_PER_SEND))
      if (this.#run.generation !== generation) return
    }
    this.#run = { generation, aliveAt: Number.NEGATIVE_INFINITY }
  }

  async #send(messages: M[]): Promise<void> {
    try {
      const bodies = messages.map((body) => ({ body }))
      await within(this.#parts.sendTimeoutMs, this.#queue.sendBatch(bodies))
      this.#failures = 0
    } catch (error) {
      this.#giveBack([...messages, ...this.#waiting.splice(0)], error)
    }
  }

  #giveBack(messages: M[], error: unknown) {
    this.#pausedUntil = this.#parts.now() + Math.min(PAUSE_CAP_MS, PAUSE_MS * 2 ** this.#failures++)
    this.#parts.log('queue.send_failed', { messages: messages.length, error: errorName(error) })
    this.#onFailed(messages)
  }
}

/** The work's outcome, or a failure once it has taken this long. */
export async function within<T>(ms: number, work: Promise<T>): Promise<T> {
  let timer: ReturnType<typeof setTimeout> | null = null
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(reject, ms, new Error('It took too long.'))
  })
  try {
    return await Promise.race([work, late])
  } finally {
    if (timer !== null) clearTimeout(timer)
  }
}
