/**
 * The first word of the directory since a ledger's start. Until it has come nothing is let out: a ledger that was put back to a point in
 * time cannot know that, and would do once more what it had done since. It is asked for when something is to be let out for the first
 * time; a directory that does not answer is not waited for longer than a moment.
 */
import { errorName, log } from './log.ts'
import { within } from './sender.ts'

const PATIENCE_MS = 3000

export class FirstWord {
  readonly #ask: () => Promise<void>
  #asked: Promise<void> | null = null
  #isHeard = false

  /** `ask` reads the directory, and takes in what it says. */
  constructor(ask: () => Promise<void>) {
    this.#ask = ask
  }

  get isHeard() {
    return this.#isHeard
  }

  /** It has come by another way. */
  heard(): void {
    this.#isHeard = true
  }

  /** Resolves when it has come, or will not come for now; never throws. */
  async wait(): Promise<void> {
    if (this.#isHeard) return
    this.#asked ??= this.#hear()
    await this.#asked
  }

  async #hear(): Promise<void> {
    try {
      await within(PATIENCE_MS, this.#ask())
    } catch (error) {
      log('directory.first_word_failed', { error: errorName(error) })
    } finally {
      this.#isHeard = true
    }
  }
}
