/**
 * Carries to the directory what a ledger owes it: dead letters, and a snapshot of itself at most once a minute while it is active.
 * A directory that is down delays both and loses nothing.
 */
import { Background } from './background.ts'
import { dropDeadLetter, queuedDeadLetters } from './dead-letters.ts'
import { recordDeadLetter } from './directory/dead-letters.ts'
import { type Directory, openDirectory } from './directory/open.ts'
import { writeRollUp } from './directory/roll-ups.ts'
import type { Db } from './store.ts'

const PAGE = 20
const AGAIN_MS = 5000
const RUN_TIMEOUT_MS = 60_000
const ROLL_UP_EVERY_MS = 60_000

export class Carrier {
  readonly #db: Db
  readonly #database: D1Database
  readonly #ledger: string
  readonly #openJobs: () => number
  readonly #background = new Background('directory.carry_failed', RUN_TIMEOUT_MS)
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
    if (this.#hasLetters() || this.#rollUpAt() <= now) this.#background.start(now, () => this.#run(now))
  }

  /** When there is something to carry next; null when nothing is owed. */
  nextAt(now: number): number | null {
    const next = this.#hasLetters() ? now + AGAIN_MS : this.#rollUpAt()
    return this.#background.nextAt(Number.isFinite(next) ? next : null, now)
  }

  #hasLetters = () => queuedDeadLetters(this.#db, 1).length > 0

  /** An idle ledger whose last snapshot says so owes none. */
  #rollUpAt(): number {
    const active = this.#openJobs() + this.#rolledUp.openJobs > 0
    return active ? this.#rolledUp.at + ROLL_UP_EVERY_MS : Number.POSITIVE_INFINITY
  }

  async #run(now: number): Promise<void> {
    const directory = openDirectory(this.#database)
    await this.#carryLetters(directory)
    if (this.#rollUpAt() <= now) await this.#rollUp(directory, now)
  }

  async #carryLetters(directory: Directory): Promise<void> {
    for (const { id, letter } of queuedDeadLetters(this.#db, PAGE)) {
      await recordDeadLetter(directory, letter)
      dropDeadLetter(this.#db, id)
    }
  }

  async #rollUp(directory: Directory, now: number): Promise<void> {
    const openJobs = this.#openJobs()
    await writeRollUp(directory, { ledger: this.#ledger, revision: now, openJobs, updatedAt: now })
    this.#rolledUp = { at: now, openJobs }
  }
}
