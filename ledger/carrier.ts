/** Carries to the directory what a ledger owes it: dead letters, and snapshots of itself. A directory that is down loses neither. */
import { Background } from './background.ts'
import { dropDeadLetter, queuedDeadLetters } from './dead-letters.ts'
import { recordDeadLetter } from './directory/dead-letter-records.ts'
import { type Directory, openDirectory } from './directory/open.ts'
import type { Reporter } from './reporter.ts'
import type { Db } from './store.ts'

const PAGE = 20
const AGAIN_MS = 5000
const RUN_TIMEOUT_MS = 60_000

export class Carrier {
  readonly #db: Db
  readonly #database: D1Database
  readonly #reporter: Reporter
  readonly #background = new Background('directory.carry_failed', RUN_TIMEOUT_MS)

  constructor(db: Db, database: D1Database, reporter: Reporter) {
    this.#db = db
    this.#database = database
    this.#reporter = reporter
  }

  /** Starts carrying if there is anything; never throws, never waits. */
  carry(): void {
    const now = Date.now()
    if (this.#hasLetters() || this.#reporter.dueAt() <= now) this.#background.start(now, () => this.#run(now))
  }

  /** When there is something to carry next; null when nothing is owed. */
  nextAt(now: number): number | null {
    const next = this.#hasLetters() ? now + AGAIN_MS : this.#reporter.dueAt()
    return this.#background.nextAt(Number.isFinite(next) ? next : null, now)
  }

  #hasLetters = () => queuedDeadLetters(this.#db, 1).length > 0

  async #run(now: number): Promise<void> {
    const directory = openDirectory(this.#database)
    await this.#carryLetters(directory)
    if (this.#reporter.dueAt() <= now) await this.#reporter.report(directory, now)
  }

  async #carryLetters(directory: Directory): Promise<void> {
    for (const { id, letter } of queuedDeadLetters(this.#db, PAGE)) {
      await recordDeadLetter(directory, letter)
      dropDeadLetter(this.#db, id)
    }
  }
}
