/**
 * Carries to the directory what a ledger owes it: dead letters, and a snapshot of itself at most once a minute while it is active.
 * A directory that is down delays both and loses nothing.
 */
import { dropDeadLetter, queuedDeadLetters } from './dead-letters.ts'
import { recordJobDeadLetter } from './directory/dead-letters.ts'
import { type Directory, openDirectory } from './directory/open.ts'
import { writeRollUp } from './directory/roll-ups.ts'
import { errorName, log } from './log.ts'
import type { Db } from './store.ts'

const PAGE = 20
const PAUSE_MS = 5000
const PAUSE_CAP_MS = 300_000
const ROLL_UP_EVERY_MS = 60_000

export class Carrier {
  readonly #db: Db
  readonly #database: D1Database
  readonly #ledger: string
  readonly #openJobs: () => number
  #busy = false
  #failures = 0
  #pausedUntil = 0
  #rolledUp = { at: 0, openJobs: 0 }

  /** `ledger` is the object's name; `openJobs` counts what is unfinished now. */
  constructor(db: Db, database: D1Database, ledger: string, openJobs: () => number) {
    this.#db = db
    this.#database = database
    this.#ledger = ledger
    this.#openJobs = openJobs
  }

  /** Starts carrying if there is anything; never throws, never waits. */
  carry(): void {
    const now = Date.now()
    if (this.#busy || now < this.#pausedUntil) return
    if (this.#hasLetters() || this.#rollUpAt() <= now) void this.#run(now)
  }

  /** When there is something to carry next; null when nothing is owed. */
  nextAt(now: number): number | null {
    const next = this.#hasLetters() ? now + PAUSE_MS : this.#rollUpAt()
    return Number.isFinite(next) ? Math.max(this.#pausedUntil, next) : null
  }

  #hasLetters = () => queuedDeadLetters(this.#db, 1).length > 0

  /** An idle ledger whose last snapshot says so owes none. */
  #rollUpAt(): number {
    const active = this.#openJobs() + this.#rolledUp.openJobs > 0
    return active ? this.#rolledUp.at + ROLL_UP_EVERY_MS : Number.POSITIVE_INFINITY
  }

  async #run(now: number): Promise<void> {
    this.#busy = true
    try {
      const directory = openDirectory(this.#database)
      await this.#carryLetters(directory)
      if (this.#rollUpAt() <= now) await this.#rollUp(directory, now)
      this.#failures = 0
    } catch (error) {
      this.#pausedUntil = Date.now() + Math.min(PAUSE_CAP_MS, PAUSE_MS * 2 ** this.#failures++)
      log('directory.carry_failed', { error: errorName(error) })
    } finally {
      this.#busy = false
    }
  }

  async #carryLetters(directory: Directory): Promise<void> {
    for (const letter of queuedDeadLetters(this.#db, PAGE)) {
      await recordJobDeadLetter(directory, letter)
      dropDeadLetter(this.#db, letter.jobId)
    }
  }

  async #rollUp(directory: Directory, now: number): Promise<void> {
    const openJobs = this.#openJobs()
    await writeRollUp(directory, { ledger: this.#ledger, revision: now, openJobs, updatedAt: now })
    this.#rolledUp = { at: now, openJobs }
  }
}
