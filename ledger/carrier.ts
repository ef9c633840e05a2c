/** Carries dead letters from the ledger's outbox to the directory. A directory that is down delays them and loses none. */
import { dropDeadLetter, queuedDeadLetters } from './dead-letters.ts'
import { recordJobDeadLetter } from './directory/dead-letters.ts'
import { openDirectory } from './directory/open.ts'
import { errorName, log } from './log.ts'
import type { Db } from './store.ts'

const PAGE = 20
const PAUSE_MS = 5000
const PAUSE_CAP_MS = 300_000

export class Carrier {
  readonly #db: Db
  readonly #database: D1Database
  #busy = false
  #failures = 0
  #pausedUntil = 0

  constructor(db: Db, database: D1Database) {
    this.#db = db
    this.#database = database
  }

  /** Starts carrying if there is anything; never throws, never waits. */
  carry(): void {
    if (this.#busy || Date.now() < this.#pausedUntil) return
    if (queuedDeadLetters(this.#db, 1).length > 0) void this.#run()
  }

  /** When there is something to carry next; null when the outbox is empty. */
  nextAt(now: number): number | null {
    return queuedDeadLetters(this.#db, 1).length > 0 ? Math.max(this.#pausedUntil, now + PAUSE_MS) : null
  }

  async #run(): Promise<void> {
    this.#busy = true
    try {
      const directory = openDirectory(this.#database)
      for (const letter of queuedDeadLetters(this.#db, PAGE)) {
        await recordJobDeadLetter(directory, letter)
        dropDeadLetter(this.#db, letter.jobId)
      }
      this.#failures = 0
    } catch (error) {
      this.#pausedUntil = Date.now() + Math.min(PAUSE_CAP_MS, PAUSE_MS * 2 ** this.#failures++)
      log('dead_letters.carry_failed', { error: errorName(error) })
    } finally {
      this.#busy = false
    }
  }
}
