/**
 * Keeps a ledger up to date about what operators decide: standing orders, and how its tenant stands. Changes are told to it where they
 * concern its tenant alone, and orders come along with each request that submits work; this is what stands behind both. The directory is
 * read beside the ledger's calls, at most every few seconds, while it has work or is asked something. One that does not answer stops
 * nothing: the ledger goes by what it knew last.
 */
import { errorName, log } from './log.ts'
import { within } from './sender.ts'

/** After a start work is held back for so long at most until the directory has been heard. */
const PATIENCE_MS = 3000

export class Listener {
  readonly #ask: () => Promise<void>
  readonly #everyMs: number
  readonly #onInformed: () => void
  #busy = false
  #nextAt = 0
  #informed = false

  /** `ask` reads and takes in what it hears. `onInformed` is called once: from then on work may be released. */
  constructor(ask: () => Promise<void>, everyMs: number, onInformed: () => void) {
    this.#ask = ask
    this.#everyMs = everyMs
    this.#onInformed = onInformed
  }

  /** Whether the ledger has heard since its start what holds now, or will not hear it for the time being. */
  get isInformed() {
    return this.#informed
  }

  /** When to listen next. */
  get nextAt() {
    return this.#nextAt
  }

  /** Fresh orders have come by another way. */
  heard(): void {
    this.#informed = true
  }

  /** Reads the directory if it is time to; never throws, never waits. */
  listen(now: number): void {
    if (this.#busy || now < this.#nextAt) return
    this.#nextAt = now + this.#everyMs
    void this.#listen()
  }

  async #listen(): Promise<void> {
    this.#busy = true
    try {
      await within(PATIENCE_MS, this.#ask())
    } catch (error) {
      log('directory.listen_failed', { error: errorName(error) })
    } finally {
      this.#busy = false
      const isFirst = !this.#informed
      this.#informed = true
      if (isFirst) this.#onInformed()
    }
  }
}
