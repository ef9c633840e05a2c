/**
 * Work of a ledger that waits for another service, beside its calls: one run at a time, none that hangs for good, and longer and longer
 * pauses while it fails. What is to be done stands in the tables, so a run that breaks off loses nothing.
 */
import { errorName, log } from './log.ts'
import { within } from './sender.ts'

const PAUSE_MS = 5000
const PAUSE_CAP_MS = 300_000

export class Background {
  readonly #failed: string
  readonly #timeoutMs: number
  #busy = false
  #failures = 0
  #pausedUntil = 0

  /** `failed` names the event that the log tells of a run that failed; `timeoutMs` bounds a whole run. */
  constructor(failed: string, timeoutMs: number) {
    this.#failed = failed
    this.#timeoutMs = timeoutMs
  }

  /** Starts the work unless it is under way, or pauses after a failure; never throws, never waits. */
  start(now: number, work: () => Promise<void>): void {
    if (!this.#busy && now >= this.#pausedUntil) void this.#run(work)
  }

  /** When a run that is due at `at` can be started, or its end looked for; null when none is due. */
  nextAt(at: number | null, now: number): number | null {
    if (this.#busy) return now + PAUSE_MS
    return at === null ? null : Math.max(at, this.#pausedUntil)
  }

  async #run(work: () => Promise<void>): Promise<void> {
    this.#busy = true
    try {
      await within(this.#timeoutMs, work())
      this.#failures = 0
    } catch (error) {
      this.#pausedUntil = Date.now() + Math.min(PAUSE_CAP_MS, PAUSE_MS * 2 ** this.#failures++)
      log(this.#failed, { error: errorName(error) })
    } finally {
      this.#busy = false
    }
  }
}
