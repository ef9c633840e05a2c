/**
 * Keeps a ledger up to date about what operators decide: standing orders, and how its tenant stands. Changes are told to it where they
 * concern its tenant alone, and orders come along with each request that submits work; this is what stands behind both. The directory is
 * read beside the ledger's calls, at most every few seconds, while it has work or is asked something.
 *
 * Since the ledger's start, work waits for the first orders, and whatever is let out for the first word of how the tenant stands: a ledger
 * that was put back to a point in time cannot know that, and would do once more what it had done since. A directory that does not answer
 * is waited for no longer than a moment; then the ledger goes by what it knew last.
 */
import { errorName, log } from './log.ts'
import { within } from './sender.ts'

const PATIENCE_MS = 3000

export interface ListenerParts {
  /** Reads the directory, takes in what it says, and notes here what has been heard. */
  readonly ask: () => Promise<void>
  readonly everyMs: number
  /** What has been held back may go on. */
  readonly onInformed: () => void
}

export class Listener {
  readonly #parts: ListenerParts
  /** The one under way. */
  #reading: Promise<void> | null = null
  #nextAt = 0
  #knowsOrders = false
  #knowsStanding = false

  constructor(parts: ListenerParts) {
    this.#parts = parts
  }

  /** When to listen next. */
  get nextAt() {
    return this.#nextAt
  }

  /** Fresh orders have come, in whatever way. */
  heardOrders(): void {
    this.#knowsOrders = true
  }

  /** How the tenant stands has been told, in whatever way. */
  heardStanding(): void {
    this.#knowsStanding = true
  }

  /** Reads the directory if it is time to; never throws, never waits. */
  listen(now: number): void {
    if (now >= this.#nextAt) void this.#read(now)
  }

  /** Whether orders have been heard, or will not be for now. Where not, `onInformed` follows. */
  knowsOrders(now: number): boolean {
    if (!this.#knowsOrders) void this.#read(now).then(this.#parts.onInformed)
    return this.#knowsOrders
  }

  /** Whether it has been heard how the tenant stands, or will not be for now. Where not, `onInformed` follows. */
  knowsStanding(now: number): boolean {
    if (!this.#knowsStanding) void this.hearStanding(now).then(this.#parts.onInformed)
    return this.#knowsStanding
  }

  /** Resolves when it has been heard how the tenant stands, or will not be for now; never throws. */
  async hearStanding(now: number): Promise<void> {
    if (this.#knowsStanding) return
    await this.#read(now)
    this.#knowsStanding = true
  }

  /** One reading at a time, whoever waits for it; never throws. */
  #read(now: number): Promise<void> {
    if (this.#reading) return this.#reading
    this.#nextAt = now + this.#parts.everyMs
    this.#reading = this.#ask()
    return this.#reading
  }

  async #ask(): Promise<void> {
    try {
      await within(PATIENCE_MS, this.#parts.ask())
    } catch (error) {
      log('directory.listen_failed', { error: errorName(error) })
    } finally {
      this.#reading = null
      this.#knowsOrders = true
    }
  }
}
